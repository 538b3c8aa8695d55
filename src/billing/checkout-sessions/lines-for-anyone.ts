import type { Project } from '../../accounts/projects/project.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { CatalogPrice } from '../catalog/price.ts';
import { amountOfLines, type InvoiceLine } from '../invoices/invoice.ts';
import { readRates } from '../pricing/read-rates.ts';
import { lineOfPrice } from './price-line.ts';
import { taxLines } from './tax-lines.ts';

/** One of a price for a buyer nobody knows yet, who is taxed as if they were where the seller is. */
export async function linesForAnyone(
  db: Queryable,
  project: Project,
  price: CatalogPrice,
): Promise<InvoiceLine[]> {
  const rates = await readRates(db, [{ merchantId: project.merchantId, projectId: project.id }], [price]);
  return taxLines([lineOfPrice(price)], [price], { project, customer: undefined, rates });
}

/** The same for an order paid at an earlier offer: if the tax rate has changed since, only the tax share changes. */
export async function linesPaid(
  db: Queryable,
  project: Project,
  price: CatalogPrice,
  paidCents: Cents,
): Promise<InvoiceLine[]> {
  const lines = await linesForAnyone(db, project, price);
  if (amountOfLines(lines) === paidCents) return lines;
  const taxBehavior = price.taxBehavior === 'none' ? 'none' : 'inclusive';
  return linesForAnyone(db, project, { ...price, unitAmountCents: paidCents, taxBehavior });
}
