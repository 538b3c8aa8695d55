import { findCustomerOrErased } from '../../accounts/customers/queries.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { findDiscount } from '../discounts/queries.ts';
import { periodCents } from '../subscriptions/plan-lines.ts';
import type { Plan, Subscription } from '../subscriptions/subscription.ts';
import { taxOfPrices } from './tax-of-prices.ts';

/** Returns what the next renewal will request before account credit, as of today: with its discount and its tax. */
export async function nextPeriodCents(
  db: Queryable,
  { merchantId, projectId, customerId, discountId }: Subscription,
  plan: Plan<CatalogPrice>,
): Promise<Cents> {
  const customer = (await findCustomerOrErased(db, { merchantId, id: customerId }))!;
  const taxOf = await taxOfPrices(db, { merchantId, projectId, customer }, [plan.price]);
  const discount = discountId === null ? undefined : await findDiscount(db, { merchantId, id: discountId });
  return periodCents(plan, taxOf, discount);
}
