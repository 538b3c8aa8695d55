import type { CreditNoteDocument } from './credit-note-document.ts';
import { describeParties, filled, type InvoiceText, NETWORKS, taxText } from './describe-invoice.ts';
import { clean, type Paper, paperIn } from './paper.ts';

/** Puts a credit note into words. Its amounts are positive: they are what the customer got back. */
export function describeCreditNote(document: CreditNoteDocument): InvoiceText {
  const { issuedAt, amountCents, network, language = 'en' } = document;
  const paper = paperIn(language);
  const { words } = paper;
  const issuer = clean(document.merchant.name) || clean(document.project?.name ?? null);
  const amount = paper.usd(amountCents);
  const day = paper.day(issuedAt);
  return {
    language,
    title: words.creditNote,
    issuer,
    brandColor: document.brandColor ?? null,
    badges: [
      { text: words.badges.refunded, tone: 'good' },
      ...(network === 'mainnet' ? [] : [{ text: words.badges.test, tone: 'plain' } as const]),
    ],
    facts: filled([
      [words.facts.number, document.number],
      [words.facts.issuedAt, day],
      [words.facts.invoiceCorrected, clean(document.invoiceNumber)],
      [words.facts.refundNumber, document.refundNumber],
    ]),
    parties: describeParties(document, issuer, words, words.parties.to),
    headline: words.headlines.refunded(amount, day),
    columns: words.columns,
    lines: [
      { description: whatFor(document, paper), period: '', figures: [paper.count(1n), amount, amount] },
    ],
    totals: [
      { label: words.totals.totalRefunded, value: amount, strong: true },
      ...(document.taxes ?? []).map((tax) => ({
        // A refund contains its tax, whether the price did or not.
        label: taxText({ ...tax, isContained: true }, paper),
        value: paper.usd(tax.taxCents),
        strong: false,
      })),
    ],
    paymentTitle: words.payment.refundTitle,
    payment: filled([
      [words.payment.network, NETWORKS[network]],
      [words.payment.sentTo, clean(document.address)],
      [words.payment.sentOn, day],
      [words.payment.transaction, clean(document.txSignature)],
    ]),
    note: [
      ...(document.taxNotes ?? []).map(paper.quote),
      network === 'mainnet' ? words.notes.creditNote : words.notes.testCreditNote,
    ].join(' '),
  };
}

function whatFor({ isOverpayment, invoiceNumber }: CreditNoteDocument, { words, quote }: Paper): string {
  if (isOverpayment) return words.refundLines.overpayment;
  return invoiceNumber === null ? words.refundLines.payment : words.refundLines.invoice(quote(invoiceNumber));
}
