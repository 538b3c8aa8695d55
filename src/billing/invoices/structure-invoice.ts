import type {
  StructuredDocument,
  StructuredLine,
  StructuredPeriod,
} from '../../documents/e-invoice/structured-document.ts';
import { cleanXmlText } from '../../documents/e-invoice/xml.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { formatUsd } from '../../platform/lib/format.ts';
import type { Cents } from '../../platform/lib/money.ts';
import {
  amountDueCents,
  amountOfLines,
  type Invoice,
  type InvoiceLine,
  openedAtOf,
  sumOfTax,
} from './invoice.ts';
import { structureParties } from './structure-parties.ts';
import { rateNamer, structureTaxes } from './structure-taxes.ts';

/** An invoice as machines read it. Its sums are those of the invoice, to the cent. */
export function structureInvoice(
  invoice: Invoice,
  account: string | null,
  isTest: boolean,
): StructuredDocument {
  const number = requireIssued(invoice);
  const { lines, tax } = invoice;
  const parts = lines.map((line) => ({ tax: line.tax, netCents: netOf(line), taxCents: line.taxCents }));
  const rateOf = rateNamer(parts, tax);
  const taxes = structureTaxes(parts, tax);
  const categories = new Set(taxes.map(({ category }) => category));
  const { seller, buyer } = structureParties(tax, categories, invoice.projectId);
  const grossCents = amountOfLines(lines);
  const dueCents = amountDueCents(invoice);
  const discountText = invoice.discount?.name ?? '';
  return {
    kind: 'invoice',
    number,
    issuedAt: openedAtOf(invoice)!,
    dueAt: invoice.dueAt,
    currency: 'USD',
    notes: notesOf(ownNotes(invoice), isTest),
    buyerReference: invoice.clientReferenceId ?? invoice.merchantReference,
    corrects: null,
    period: periodOf(invoice),
    seller,
    buyer,
    deliveredTo: categories.has('K') ? buyer.country : null,
    lines: lines.map((line) => ({ ...structureLine(line, discountText), ...rateOf(line) })),
    taxes,
    totals: {
      linesCents: grossCents - sumOfTax(lines),
      taxCents: sumOfTax(lines),
      grossCents,
      paidCents: grossCents - dueCents,
      dueCents,
    },
    payment: {
      means: 'USDC on Solana',
      terms: 'Payable in USDC on Solana, one USDC for each US dollar.',
      account: dueCents > 0n ? account : null,
    },
  };
}

/** The standard has no sum for what was waived after the invoice was issued: it is among what is settled, and said here. */
function ownNotes({ tax, memo, waivedCents }: Invoice): string[] {
  const waived = waivedCents > 0n ? [`${formatUsd(waivedCents, 'en')} of the total was waived.`] : [];
  return [...(tax?.notes ?? []), ...(memo === null ? [] : [memo]), ...waived];
}

/** Notes that the law requires, and one that says if it is a test. */
export function notesOf(notes: readonly string[], isTest: boolean): string[] {
  return isTest ? [...notes, 'This is a test: no real money is involved.'] : [...notes];
}

function requireIssued({ number, status }: Invoice): string {
  if (number === null)
    throw new AppError('INVALID_STATE', {
      message: 'This invoice has no number yet, so there is no XML for it.',
    });
  if (status === 'void')
    throw new AppError('INVALID_STATE', { message: 'This invoice is void, so there is no XML for it.' });
  return number;
}

/** Without its tax. */
function netOf({ amountCents, discountCents, taxCents, tax }: InvoiceLine): Cents {
  return amountCents - discountCents - (tax?.behavior === 'inclusive' ? taxCents : 0n);
}

/** The price is without tax too. Of a price that contains it, it is stated for all of the line, where it is exact. */
function structureLine(
  line: InvoiceLine,
  discountText: string,
): Omit<StructuredLine, 'category' | 'percent'> {
  const { amountCents, discountCents, tax } = line;
  const count = line.quantity === 0n ? 1n : line.quantity;
  const isUnitExact = tax?.behavior !== 'inclusive' && line.unitAmountCents * count === amountCents;
  const allowanceCents = discountCents - containedIn(discountCents, line);
  const before = netOf(line) + allowanceCents;
  return {
    name: cleanXmlText(line.description) || 'Item',
    quantity: before < 0n ? -count : count,
    priceCents: absolute(isUnitExact ? line.unitAmountCents : before),
    priceQuantity: isUnitExact ? 1n : count,
    allowance:
      discountCents === 0n
        ? null
        : { cents: allowanceCents, reason: cleanXmlText(discountText) || 'Discount' },
    netCents: netOf(line),
    period: periodOf(line),
  };
}

function containedIn(cents: Cents, { tax }: InvoiceLine): Cents {
  if (tax?.behavior !== 'inclusive') return 0n;
  const rate = BigInt(tax.percentPpm);
  return (cents * rate) / (1_000_000n + rate);
}

/** Dates of four-digit years; another is left out. */
function periodOf({
  periodStart: start,
  periodEnd: end,
}: Pick<InvoiceLine, 'periodStart' | 'periodEnd'>): StructuredPeriod | null {
  if (!start || !end || end < start || start.getUTCFullYear() < 1000 || end.getUTCFullYear() > 9999)
    return null;
  return { start, end };
}

function absolute(cents: Cents): Cents {
  return cents < 0n ? -cents : cents;
}
