import { cleanText } from './clean-text.ts';
import { formatCount, formatDay, formatPeriod, formatUsd } from './format.ts';
import type { DocumentTax, InvoiceDocument } from './invoice-document.ts';

export type Row = readonly [label: string, value: string];

/** Every word the paper carries, in its place but without a position. */
export interface InvoiceText {
  /** What kind of paper it is. */
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
  /** What the issuer has to say about it, line by line. */
  memo?: { title: string; lines: string[] };
  /** The heading above the rows that say how the money moved. */
  paymentTitle: string;
  payment: Row[];
  note: string;
}

/** A customer reads these: an invoice that merchants know as uncollectible is simply unpaid. */
const STATUS_BADGES = {
  draft: { text: 'DRAFT', tone: 'plain' },
  open: { text: 'OPEN', tone: 'plain' },
  paid: { text: 'PAID', tone: 'good' },
  void: { text: 'VOID', tone: 'bad' },
  uncollectible: { text: 'UNPAID', tone: 'bad' },
} as const;
export const NETWORKS = { mainnet: 'Solana mainnet', devnet: 'Solana devnet', sandbox: 'Sandbox' };
export const COLUMNS = ['Description', 'Quantity', 'Unit price', 'Amount'] as const;

/** Puts an invoice into words. Texts from outside are cleaned here, and nowhere else. */
export function describeInvoice(document: InvoiceDocument): InvoiceText {
  const issuer = clean(document.merchant.name) || clean(document.project.name);
  const badges: InvoiceText['badges'] = [STATUS_BADGES[document.status]];
  if (document.network !== 'mainnet') badges.push({ text: 'TEST', tone: 'plain' });
  return {
    title: 'Invoice',
    issuer,
    brandColor: document.brandColor ?? null,
    badges,
    facts: describeFacts(document),
    parties: describeParties(document, issuer),
    headline: describeHeadline(document),
    columns: COLUMNS,
    lines: document.lines.map((line) => ({
      description: cleanText(line.description),
      period: formatPeriod(line.periodStart, line.periodEnd),
      figures: [
        formatCount(line.quantity),
        formatUsd(line.unitAmountCents),
        formatUsd(line.amountCents),
      ] as const,
    })),
    totals: describeTotals(document),
    ...(document.memo && { memo: { title: 'Note', lines: document.memo.split('\n').map(cleanText) } }),
    paymentTitle: 'Payment',
    payment: describePayment(document),
    note: [
      ...(document.taxNotes ?? []).map(clean),
      document.network === 'mainnet'
        ? 'Amounts are in US dollars and are paid in USDC.'
        : 'Amounts are in US dollars. Test invoice: no real money involved.',
    ].join(' '),
  };
}

/** All texts of a description, for loading their fonts. */
export function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function describeFacts(document: InvoiceDocument): Row[] {
  return filled([
    ['Invoice number', clean(document.number)],
    ['Date of issue', formatDay(document.issuedAt)],
    ['Date due', document.dueAt ? formatDay(document.dueAt) : ''],
    ['Date paid', document.paidAt ? formatDay(document.paidAt) : ''],
    ['Billing period', formatPeriod(document.periodStart, document.periodEnd)],
    ['Order reference', clean(document.merchantReference)],
    ['Client reference', clean(document.clientReferenceId)],
  ]);
}

/** Who issues it and who it is for. */
export function describeParties(
  {
    project,
    customer,
    seller = null,
    buyer = null,
  }: Pick<InvoiceDocument, 'customer' | 'seller' | 'buyer'> & { project: { name: string } | null },
  issuer: string,
  to = 'Bill to',
): InvoiceText['parties'] {
  const from = seller
    ? [clean(seller.name), ...seller.lines.map(clean)]
    : [issuer, clean(project?.name ?? null)];
  const parties = [{ title: 'From', lines: [...new Set(from)] }];
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

function describeHeadline(document: InvoiceDocument): string {
  const { status, paidAt, dueAt } = document;
  if (status === 'paid')
    return `${formatUsd(document.amountPaidCents)} paid${paidAt ? ` on ${formatDay(paidAt)}` : ''}`;
  if (status === 'draft') return `${formatUsd(document.totalCents)}. Not issued yet: nothing is due.`;
  if (status === 'void') return `${formatUsd(document.totalCents)} void. Nothing is due.`;
  const due = formatUsd(document.amountDueCents);
  if (status === 'uncollectible') return `${due} unpaid`;
  return dueAt ? `${due} due ${formatDay(dueAt)}` : `${due} due`;
}

function describeTotals(document: InvoiceDocument): InvoiceText['totals'] {
  const row = (label: string, cents: bigint, strong = false) => ({ label, value: formatUsd(cents), strong });
  const totals = [row('Subtotal', document.subtotalCents)];
  const { discount, discountCents = 0n } = document;
  if (discountCents !== 0n) totals.push(row(cleanText(discountText(discount)), -discountCents));
  const taxes = document.taxes ?? [];
  for (const tax of taxes.filter(({ isContained }) => !isContained))
    totals.push(row(taxText(tax), tax.taxCents));
  if (document.creditAppliedCents !== 0n) totals.push(row('Credit applied', -document.creditAppliedCents));
  totals.push(row('Total', document.totalCents));
  for (const tax of taxes.filter(({ isContained }) => isContained))
    totals.push(row(taxText(tax), tax.taxCents));
  if (document.amountPaidCents !== 0n) totals.push(row('Amount paid', document.amountPaidCents));
  if (document.refundedCents !== 0n) totals.push(row('Refunded', -document.refundedCents));
  totals.push(row('Amount due', document.amountDueCents, true));
  return totals;
}

/** `VAT 19% on $100.00`, `incl. VAT 19% on $84.03`; a rate of nothing says its name alone. */
export function taxText({ name, percent, isContained, taxableCents }: DocumentTax): string {
  const rate = percent === 0 ? clean(name) : `${clean(name)} ${percent}%`;
  return `${isContained && percent > 0 ? 'incl. ' : ''}${rate} on ${formatUsd(taxableCents)}`;
}

/** `Discount: Summer sale (SUMMER)`. */
function discountText(discount: InvoiceDocument['discount']): string {
  if (!discount) return 'Discount';
  const { name, promotionCode } = discount;
  return promotionCode === null ? `Discount: ${name}` : `Discount: ${name} (${promotionCode})`;
}

function describePayment(document: InvoiceDocument): Row[] {
  const address = document.status === 'void' ? '' : clean(document.merchant.payoutAddress);
  return filled([
    ['Network', NETWORKS[document.network]],
    [document.status === 'paid' ? 'Paid to' : 'Pay to', address],
    ['Pay online', document.status === 'open' ? clean(document.payUrl ?? null) : ''],
    ['Paid on', document.paidAt ? formatDay(document.paidAt) : ''],
    ['Transaction', clean(document.txSignature)],
  ]);
}

export function filled(rows: Row[]): Row[] {
  return rows.filter(([, value]) => value !== '');
}

/** Longer than any name, address or reference can be; what is longer still says that it was cut. */
const MAX_LENGTH = 300;

export function clean(text: string | null): string {
  const characters = [...cleanText(text ?? '')];
  return characters.length <= MAX_LENGTH
    ? characters.join('')
    : `${characters.slice(0, MAX_LENGTH).join('')}\u2026`;
}
