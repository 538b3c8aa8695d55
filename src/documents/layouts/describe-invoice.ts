import { labelled } from '../../platform/lib/format.ts';
import type { Language } from '../../platform/lib/language.ts';
import { cleanText } from '../pdf/clean-text.ts';
import type { DocumentTax, InvoiceDocument, InvoiceDocumentLine } from './invoice-document.ts';
import type { PaperMessages } from './messages/messages.ts';
import { clean, type Paper, paperIn } from './paper.ts';

export type Row = readonly [label: string, value: string];

/** Every word the paper carries, in its place but without a position. */
export interface InvoiceText {
  language: Language;
  /** Kind of paper. */
  title: string;
  issuer: string;
  /** `#rrggbb`, or nothing where the issuer has no colour. */
  brandColor: string | null;
  badges: { text: string; tone: 'good' | 'plain' | 'bad' }[];
  facts: Row[];
  parties: { title: string; lines: string[] }[];
  headline: string;
  columns: readonly [string, string, string, string];
  lines: { description: string; period: string; figures: readonly [string, string, string] }[];
  totals: { label: string; value: string; strong: boolean }[];
  /** Note of the issuer, line by line. */
  memo?: { title: string; lines: string[] };
  /** The heading above the rows that say how the money moved. */
  paymentTitle: string;
  payment: Row[];
  /** Page to pay on, as a link and as a code beside it. */
  payOnline?: { label: string; url: string; hint: string };
  note: string;
}

const TONES = { draft: 'plain', open: 'plain', paid: 'good', void: 'bad', uncollectible: 'bad' } as const;
export const NETWORKS = { mainnet: 'Solana mainnet', devnet: 'Solana devnet', sandbox: 'Sandbox' };

/** Puts an invoice into words. Texts from outside are cleaned here, and nowhere else. */
export function describeInvoice(document: InvoiceDocument): InvoiceText {
  const { language = 'en', status } = document;
  const paper = paperIn(language);
  const { words } = paper;
  const issuer = clean(document.merchant.name) || clean(document.project.name);
  const badges: InvoiceText['badges'] = [{ text: words.badges[status], tone: TONES[status] }];
  if (document.network !== 'mainnet') badges.push({ text: words.badges.test, tone: 'plain' });
  return {
    language,
    title: words.invoice,
    issuer,
    brandColor: document.brandColor ?? null,
    badges,
    facts: describeFacts(document, paper),
    parties: describeParties(document, issuer, words),
    headline: describeHeadline(document, paper),
    columns: words.columns,
    lines: document.lines.map((line) => describeLine(line, paper)),
    totals: describeTotals(document, paper),
    ...(document.memo && { memo: { title: words.memo, lines: document.memo.split('\n').map(cleanText) } }),
    paymentTitle: words.payment.title,
    ...describePayment(document, paper),
    note: [
      ...(document.taxNotes ?? []).map(paper.quote),
      document.network === 'mainnet' ? words.notes.invoice : words.notes.testInvoice,
    ].join(' '),
  };
}

/** All texts of a description, for loading their fonts. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function describeFacts(document: InvoiceDocument, { words: { facts }, day, period }: Paper): Row[] {
  return filled([
    [facts.invoiceNumber, clean(document.number)],
    [facts.issuedAt, day(document.issuedAt)],
    [facts.dueAt, document.dueAt ? day(document.dueAt) : ''],
    [facts.paidAt, document.paidAt ? day(document.paidAt) : ''],
    [facts.period, period(document.periodStart, document.periodEnd)],
    [facts.orderReference, clean(document.merchantReference)],
    [facts.clientReference, clean(document.clientReferenceId)],
  ]);
}

function describeLine(line: InvoiceDocumentLine, paper: Paper): InvoiceText['lines'][number] {
  const { description, standardText, quantity, unitAmountCents, amountCents } = line;
  const { words, quote, usd } = paper;
  return {
    description: standardText
      ? words.lines[standardText.line].replace('{name}', () => quote(standardText.name))
      : cleanText(description),
    period: paper.period(line.periodStart, line.periodEnd),
    figures: [paper.count(quantity), usd(unitAmountCents), usd(amountCents)],
  };
}

/** Issuer and recipient. */
export function describeParties(
  {
    project,
    customer,
    seller = null,
    buyer = null,
  }: Pick<InvoiceDocument, 'customer' | 'seller' | 'buyer'> & { project: { name: string } | null },
  issuer: string,
  words: PaperMessages,
  to = words.parties.billTo,
): InvoiceText['parties'] {
  const from = seller
    ? [clean(seller.name), ...seller.lines.map(clean)]
    : [issuer, clean(project?.name ?? null)];
  const parties = [{ title: words.parties.from, lines: [...new Set(from)] }];
  if (buyer && (buyer.name !== null || buyer.lines.length > 0)) {
    parties.push({ title: to, lines: [clean(buyer.name), ...buyer.lines.map(clean)] });
  } else if (customer) {
    const { name, email, externalCustomerId } = customer;
    parties.push({ title: to, lines: [clean(name), clean(email), clean(externalCustomerId)] });
  }
  return parties
    .map(({ title, lines }) => ({ title, lines: lines.filter((line) => line !== '') }))
    .filter(({ lines }) => lines.length > 0);
}

function describeHeadline(document: InvoiceDocument, { words: { headlines }, usd, day }: Paper): string {
  const { status, paidAt, dueAt, totalCents } = document;
  if (status === 'paid') return headlines.paid(usd(document.amountPaidCents), paidAt && day(paidAt));
  if (status === 'draft') return headlines.draft(usd(totalCents));
  if (status === 'void') return headlines.void(usd(totalCents));
  const due = usd(document.amountDueCents);
  return status === 'uncollectible' ? headlines.unpaid(due) : headlines.due(due, dueAt && day(dueAt));
}

function describeTotals(document: InvoiceDocument, paper: Paper): InvoiceText['totals'] {
  const { totals: labels } = paper.words;
  const row = (label: string, cents: bigint, strong = false) => ({ label, value: paper.usd(cents), strong });
  const totals = [row(labels.subtotal, document.subtotalCents)];
  const { discount, discountCents = 0n } = document;
  if (discountCents !== 0n) totals.push(row(discountText(discount, paper), -discountCents));
  const taxes = document.taxes ?? [];
  for (const tax of taxes.filter(({ isContained }) => !isContained))
    totals.push(row(taxText(tax, paper), tax.taxCents));
  if (document.creditAppliedCents !== 0n) totals.push(row(labels.credit, -document.creditAppliedCents));
  totals.push(row(labels.total, document.totalCents));
  for (const tax of taxes.filter(({ isContained }) => isContained))
    totals.push(row(taxText(tax, paper), tax.taxCents));
  if (document.amountPaidCents !== 0n) totals.push(row(labels.paid, document.amountPaidCents));
  if (document.waivedCents) totals.push(row(labels.waived, document.waivedCents));
  if (document.refundedCents !== 0n) totals.push(row(labels.refunded, -document.refundedCents));
  totals.push(row(labels.due, document.amountDueCents, true));
  return totals;
}

/** `VAT 19% on $100.00`, `incl. VAT 19% on $84.03`; a rate of nothing says its name alone. */
export function taxText({ name, percent, isContained, taxableCents }: DocumentTax, paper: Paper): string {
  const { words, quote, usd } = paper;
  const rate = percent === 0 ? quote(name) : `${quote(name)} ${paper.percent(percent)}`;
  const say = isContained && percent > 0 ? words.taxContained : words.tax;
  return say(rate, usd(taxableCents));
}

/** `Discount: Summer sale (SUMMER)`. */
function discountText(discount: InvoiceDocument['discount'], { words, quote }: Paper): string {
  if (!discount) return words.discount;
  const { name, promotionCode } = discount;
  const code = promotionCode === null ? '' : ` (${quote(promotionCode)})`;
  return labelled(words.discount, `${quote(name)}${code}`, words.language);
}

/** A payment to the bare address could not be matched, so it is not named where there is a page to pay on. */
function describePayment(
  document: InvoiceDocument,
  { words: { payment }, day }: Paper,
): Pick<InvoiceText, 'payment' | 'payOnline'> {
  const { status, paidAt, payUrl } = document;
  const url = status === 'open' || status === 'uncollectible' ? cleanText(payUrl ?? '') : '';
  const address = status === 'void' || url !== '' ? '' : clean(document.merchant.payoutAddress);
  const rows = filled([
    [payment.network, NETWORKS[document.network]],
    [status === 'paid' ? payment.paidTo : payment.payTo, address],
    [payment.paidOn, paidAt ? day(paidAt) : ''],
    [payment.transaction, clean(document.txSignature)],
  ]);
  if (url === '') return { payment: rows };
  return { payment: rows, payOnline: { label: payment.payOnline, url, hint: payment.scan } };
}

export function filled(rows: Row[]): Row[] {
  return rows.filter(([, value]) => value !== '');
}
