import type { Customer } from '../../accounts/customers/customer.ts';
import { findProject } from '../../accounts/projects/queries.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { readRates } from '../pricing/read-rates.ts';
import { decideTax } from '../pricing/tax.ts';
import type { TaxOf } from '../subscriptions/plan-lines.ts';

/** Returns the tax on prices that a customer has or gets, as of today. */
export async function taxOfPrices(
  db: Queryable,
  { merchantId, projectId, customer }: { merchantId: string; projectId: string; customer: Customer },
  prices: readonly CatalogPrice[],
): Promise<TaxOf> {
  const rates = await readRates(db, [{ merchantId, projectId }], prices);
  if (rates.length === 0 && prices.every(({ taxBehavior }) => taxBehavior === 'none')) return () => null;
  const { seller } = (await findProject(db, { merchantId, id: projectId }))!;
  return (price) => decideTax(price, { seller, buyer: customer, rates });
}
