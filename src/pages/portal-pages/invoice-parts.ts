import { amountDueCents, isOverdue } from '../../billing/invoices/invoice.ts';
import { payableUntil } from '../../billing/invoices/payable.ts';
import { type Html, html } from '../../platform/http/html.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { OwnInvoice } from '../portal/own-invoices.ts';
import { ownAddress } from './subscription-cards.ts';
import { type Translator, t } from './translator.ts';

/** Path of the PDF in the page's language. */
export const PDF_PATH = (id: string, { language }: Translator) =>
  `/api/portal/invoices/${id}/pdf?language=${language}`;

const ON_ITS_WAY = { tone: 'warn', key: 'onItsWay' } as const;

export function invoiceBadge(invoice: OwnInvoice, now: Date) {
  if (invoice.session?.paymentStatus === 'processing') return ON_ITS_WAY;
  switch (invoice.status) {
    case 'paid':
      return { tone: 'good', key: 'paid' } as const;
    case 'open':
      return isOverdue(invoice, now)
        ? ({ tone: 'bad', key: 'overdue' } as const)
        : ({ tone: 'warn', key: 'open' } as const);
    default:
      return { tone: '', key: invoice.status === 'void' ? 'void' : 'uncollectible' } as const;
  }
}

/** Returns what is left to pay of an invoice that was paid in part; undefined otherwise. */
export function missingOf(invoice: OwnInvoice): Cents | undefined {
  const isPart = invoice.checkoutUrl !== null && invoice.session?.paymentStatus === 'underpaid';
  return isPart ? amountDueCents(invoice) : undefined;
}

/** Note with the time until which an overdue invoice can still be paid. */
export function payNote(
  translator: Translator,
  { status, checkoutUrl, session }: OwnInvoice,
): Html | undefined {
  if (status !== 'uncollectible' || checkoutUrl === null || !session) return undefined;
  return t(translator.text.invoices.late, { moment: translator.moment(payableUntil(session)) });
}

/**
 * Links to where the invoice is paid; while its payment is on its way, or its deadline is being checked, to where
 * that is shown.
 */
export function payButton(translator: Translator, invoice: OwnInvoice, size: 'small' | ''): Html | undefined {
  const { text } = translator;
  const { id, number, status, session, checkoutUrl } = invoice;
  const about = html`<span class="unseen"> <bdi>${number}</bdi></span>`;
  if (checkoutUrl !== null) {
    const label = missingOf(invoice) === undefined ? text.invoices.pay : text.invoices.payRest;
    return html`<a class="button primary ${size}" data-invoice="${id}" href="${ownAddress(translator, checkoutUrl)}">${label}${about}</a>`;
  }
  if (!session || (status !== 'open' && session.paymentStatus !== 'processing')) return undefined;
  return html`<a class="button ${size}" href="${ownAddress(translator, session.checkoutUrl)}">${text.attention.see}${about}</a>`;
}
