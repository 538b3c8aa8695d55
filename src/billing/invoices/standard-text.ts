import type { OwnLine } from '../../documents/layouts/invoice-document.ts';
import type { Invoice, InvoiceLine } from './invoice.ts';

/** How the lines of a plan change start, as stored; pages and papers translate them. */
export const UNUSED_TIME = 'Unused time: ';
export const REMAINING_TIME = 'Remaining time: ';

export const TIP = 'Tip';

/** The description of a custom amount without a price. */
export function describeAmount(merchantReference: string | null): string {
  return merchantReference === null ? 'Payment' : `Payment for ${merchantReference}`;
}

/** True if a line of a page or document is the tip, and not something that is sold under that name. */
export function isTip({ description, priceId }: InvoiceLine, position: number): boolean {
  return description === TIP && priceId === null && position > 0;
}

export interface StandardText {
  line: OwnLine;
  /** The merchant's, and stays as written. */
  name: string | null;
}

/**
 * Finds which of our own words a line's description is, if it is. Recognized by what the invoice is for and by the
 * position of the line, so that a product's name is never mistaken for them.
 */
export function standardTextOf(invoice: Invoice, line: InvoiceLine): StandardText | undefined {
  const { billingReason, merchantReference, lines } = invoice;
  const { description, priceId } = line;
  if (billingReason === 'one_time' && isTip(line, lines.indexOf(line))) return { line: 'tip', name: null };
  const goods = lines.filter((each, i) => !isTip(each, i));
  if (billingReason === 'one_time' && priceId === null && goods.length === 1) {
    if (description !== describeAmount(merchantReference)) return undefined;
    return { line: merchantReference === null ? 'payment' : 'paymentFor', name: merchantReference };
  }
  if (billingReason !== 'subscription_change') return undefined;
  const [start, own] =
    line === lines[0] ? [UNUSED_TIME, 'unused' as const] : [REMAINING_TIME, 'remaining' as const];
  return description.startsWith(start) ? { line: own, name: description.slice(start.length) } : undefined;
}
