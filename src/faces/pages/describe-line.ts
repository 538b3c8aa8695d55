import { lineOfAmount } from '../../billing/checkout-sessions/price-line.ts';
import { isTip } from '../../billing/checkout-sessions/tip.ts';
import { REMAINING_TIME, UNUSED_TIME } from '../../billing/subscriptions/plan-lines.ts';
import type { Invoice, InvoiceLine } from '../../money/invoices/invoice.ts';
import { type Html, html } from '../../platform/http/html.ts';
import type { Language } from './language.ts';
import { type CommonMessages, commonMessages } from './messages/languages.ts';

/**
 * The description of an invoice line in the reader's language. Our words around a name are translated; names are the
 * merchant's, and stay as written.
 */
export function describeLine(invoice: Invoice, line: InvoiceLine, language: Language): Html {
  const ours = ownWords(invoice, line);
  if (!ours) return html`<bdi>${line.description}</bdi>`;
  // Splitting at the placeholder gives the parts before and after the name.
  const [before, after] = commonMessages[language].lines[ours.key].split('{name}');
  return html`${before}${ours.name !== null && html`<bdi>${ours.name}</bdi>`}${after}`;
}

interface OwnWords {
  key: keyof CommonMessages['lines'];
  name: string | null;
}

/**
 * Recognized by what the invoice is for and by the position of the line, so that a product's name is never mistaken
 * for them.
 */
function ownWords(invoice: Invoice, line: InvoiceLine): OwnWords | undefined {
  const { billingReason, merchantReference, lines } = invoice;
  const { description, priceId, amountCents } = line;
  if (billingReason === 'one_time' && isTip(line, lines.indexOf(line))) return { key: 'tip', name: null };
  const goods = lines.filter((each, i) => !isTip(each, i));
  if (billingReason === 'one_time' && priceId === null && goods.length === 1) {
    if (description !== lineOfAmount(amountCents, merchantReference).description) return undefined;
    return { key: merchantReference === null ? 'payment' : 'paymentFor', name: merchantReference };
  }
  if (billingReason !== 'subscription_change') return undefined;
  const [start, key] =
    line === lines[0] ? [UNUSED_TIME, 'unused' as const] : [REMAINING_TIME, 'remaining' as const];
  return description.startsWith(start) ? { key, name: description.slice(start.length) } : undefined;
}
