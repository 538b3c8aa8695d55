import type { Customer } from '../../accounts/customers/customer.ts';
import type { Project } from '../../accounts/projects/project.ts';
import type { Tx } from '../../platform/db/database.ts';
import { listPricesByRef } from '../catalog/queries.ts';
import { discounted } from '../checkout-sessions/create-session.ts';
import { buyItems } from '../checkout-sessions/line-items.ts';
import { taxLines } from '../checkout-sessions/tax-lines.ts';
import { lockGiven } from '../discounts/find-given.ts';
import { requireGivable } from '../discounts/redeem.ts';
import { describeParties } from '../invoices/describe-parties.ts';
import type { AppliedDiscount, DraftTerms, InvoiceLine, InvoiceTax } from '../invoices/invoice.ts';
import { readRates } from '../pricing/read-rates.ts';
import { toLineItem } from './draft.ts';

export interface PricedDraft {
  lines: InvoiceLine[];
  /** Locked, but not counted as given yet. */
  discount: AppliedDiscount | null;
  tax: InvoiceTax | null;
  /** The price of all of it. */
  priceId: string | null;
}

/** Prices a draft's items for this customer now, exactly as a checkout of the same items would. */
export async function priceDraft(
  tx: Tx,
  { project, customer }: { project: Project; customer: Customer },
  terms: DraftTerms,
  now: Date,
): Promise<PricedDraft> {
  const { merchantId, id: projectId } = project;
  const items = terms.lineItems.map(toLineItem);
  const ids = new Set(items.flatMap(({ priceId }) => priceId ?? []));
  const prices = await listPricesByRef(
    tx,
    [...ids].map((id) => ({ merchantId, id })),
  );
  const bought = buyItems('one_time', items, (id) =>
    prices.find((price) => price.id === id && price.projectId === projectId),
  );
  const rates = await readRates(tx, [{ merchantId, projectId }], bought.terms);
  const full = taxLines(bought.lines, bought.terms, { project, customer, rates });
  const given = await lockGiven(tx, { merchantId, projectId }, terms);
  const redeemer = { customerId: customer.id, email: customer.email, isTyped: false };
  if (given) await requireGivable(tx, given.discount, redeemer, terms, now);
  const productOf = (id: string) => prices.find((price) => price.id === id)?.productId;
  const lines = given ? discounted(full, given, terms, productOf) : full;
  return {
    lines,
    discount: given?.applied ?? null,
    tax: describeParties(project.seller, customer, lines),
    priceId: bought.priceId,
  };
}
