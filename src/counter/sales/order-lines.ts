import type { Project } from '../../accounts/projects/project.ts';
import { lineOfAmount, lineOfPrice } from '../../billing/checkout-sessions/price-line.ts';
import { taxLines } from '../../billing/checkout-sessions/tax-lines.ts';
import type { InvoiceLine } from '../../billing/invoices/invoice.ts';
import { readRates } from '../../billing/pricing/read-rates.ts';
import type { TaxTerms } from '../../billing/pricing/tax.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { ChosenPrice } from './sale.ts';

/**
 * Tax terms of a typed amount: the customer pays exactly that, including the tax of the project's default rate, if
 * there is one.
 */
const TYPED: TaxTerms = { taxBehavior: 'inclusive', taxRateId: null };

/** Returns the lines of a sale, taxed as for a buyer in the seller's own place: at the counter. */
export async function orderLines(
  db: Queryable,
  project: Project,
  chosen: readonly ChosenPrice[],
  { amountCents, orderId }: { amountCents: Cents; orderId: string },
): Promise<InvoiceLine[]> {
  const sold = chosen.map(({ price, quantity }) => ({ line: lineOfPrice(price, quantity), terms: price }));
  const typed = amountCents > 0n ? [{ line: lineOfAmount(amountCents, orderId), terms: TYPED }] : [];
  const all: { line: InvoiceLine; terms: TaxTerms }[] = [...sold, ...typed];
  const terms = all.map((each) => each.terms);
  const rates = await readRates(db, [{ merchantId: project.merchantId, projectId: project.id }], terms);
  const lines = all.map((each) => each.line);
  return taxLines(lines, terms, { project, customer: undefined, rates });
}
