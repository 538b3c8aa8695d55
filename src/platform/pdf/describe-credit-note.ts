import type { CreditNoteDocument } from './credit-note-document.ts';
import {
  COLUMNS,
  clean,
  describeParties,
  filled,
  type InvoiceText,
  NETWORKS,
  taxText,
} from './describe-invoice.ts';
import { formatCount, formatDay, formatUsd } from './format.ts';

/** Puts a credit note into words. Its amounts are positive: they are what the customer got back. */
export function describeCreditNote(document: CreditNoteDocument): InvoiceText {
  const { issuedAt, amountCents, network } = document;
  const issuer = clean(document.merchant.name) || clean(document.project?.name ?? null);
  const amount = formatUsd(amountCents);
  return {
    title: 'Credit note',
    issuer,
    brandColor: document.brandColor ?? null,
    badges: [
      { text: 'REFUNDED', tone: 'good' },
      ...(network === 'mainnet' ? [] : [{ text: 'TEST', tone: 'plain' } as const]),
    ],
    facts: filled([
      ['Number', document.number],
      ['Date of issue', formatDay(issuedAt)],
      ['Invoice corrected', clean(document.invoiceNumber)],
      ['Refund number', document.refundNumber],
    ]),
    parties: describeParties(document, issuer, 'To'),
    headline: `${amount} refunded on ${formatDay(issuedAt)}`,
    columns: COLUMNS,
    lines: [{ description: whatFor(document), period: '', figures: [formatCount(1n), amount, amount] }],
    totals: [
      { label: 'Total refunded', value: amount, strong: true },
      ...(document.taxes ?? []).map((tax) => ({
        // What is refunded contains its tax, whether the price did or not.
        label: taxText({ ...tax, isContained: true }),
        value: formatUsd(tax.taxCents),
        strong: false,
      })),
    ],
    paymentTitle: 'Refund',
    payment: filled([
      ['Network', NETWORKS[network]],
      ['Sent to', clean(document.address)],
      ['Sent on', formatDay(issuedAt)],
      ['Transaction', clean(document.txSignature)],
    ]),
    note: [
      ...(document.taxNotes ?? []).map(clean),
      network === 'mainnet'
        ? 'Amounts are in US dollars and were sent in USDC.'
        : 'Amounts are in US dollars. This is a test credit note: no real money was sent.',
    ].join(' '),
  };
}

function whatFor({ isOverpayment, invoiceNumber }: CreditNoteDocument): string {
  if (isOverpayment) return 'Return of an overpayment';
  return invoiceNumber === null ? 'Refund of payment' : `Refund of invoice ${clean(invoiceNumber)}`;
}
