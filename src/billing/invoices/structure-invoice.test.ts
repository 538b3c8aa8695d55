import { describe, expect, test } from 'vitest';
import {
  objectionsToCii,
  objectionsToUbl,
  pick,
  type ReadElement,
  readXml,
} from '../../../test/support/e-invoice.ts';
import { generator } from '../../../test/support/random-cart.ts';
import { randomInvoice } from '../../../test/support/random-invoice.ts';
import type { Buyer, Seller } from '../../accounts/parties/party.ts';
import { structureCreditNote } from '../../payments/refunds/export-credit-note.ts';
import { priceLines } from '../discounts/price-lines.ts';
import type { LineTax } from '../pricing/tax.ts';
import { taxNotes } from '../pricing/tax-notes.ts';
import type { TaxCategory } from '../tax-rates/tax-rate.ts';
import { creditShares } from './credit-shares.ts';
import { writeDocument } from './export-invoice.ts';
import {
  amountDueCents,
  amountOfLines,
  type Invoice,
  type InvoiceLine,
  NOT_BY_HAND,
  totalsOf,
} from './invoice.ts';
import { structureInvoice } from './structure-invoice.ts';
import { taxesOf } from './taxes-of.ts';

const AT = new Date('2026-11-16T12:00:00Z');
const SELLER: Seller = {
  legalName: 'Muster & Söhne <GmbH>',
  address: { line1: 'Weg 1', line2: null, postalCode: '10115', city: 'Berlin', state: null },
  country: 'DE',
  taxIds: [
    { type: 'other', value: '29/815/08154' },
    { type: 'eu_vat', value: 'DE136695976' },
  ],
  registrationNumber: 'HRB 1',
};
const BUYER: Buyer = {
  name: 'Ada & Co.',
  email: 'ada@example.com',
  address: { line1: 'Rue 1', line2: 'B', postalCode: '75001', city: 'Paris', state: 'IDF' },
  country: 'FR',
  isBusiness: true,
  taxIds: [{ type: 'eu_vat', value: 'FR40303265045' }],
};

function invoiceOf(lines: InvoiceLine[], fields: Partial<Invoice> = {}): Invoice {
  const taxes = lines.map(({ tax }) => tax);
  return {
    ...{ id: 'i', merchantId: 'm', projectId: '019b76da-a800-7000-8000-000000000001', number: 'INV-000001' },
    ...{ customerId: null, externalCustomerId: null, checkoutSessionId: null, subscriptionId: null },
    ...{ status: 'open', billingReason: 'one_time', lines, discount: null, creditAppliedCents: 0n },
    ...NOT_BY_HAND,
    ...totalsOf(lines, fields.creditAppliedCents ?? 0n),
    ...{ waivedCents: 0n, remindedAt: null, timesReminded: 0 },
    ...{ amountPaidCents: 0n, refundedCents: 0n, dueAt: null, periodStart: null, periodEnd: null },
    ...{ merchantReference: null, clientReferenceId: 'PO 7', metadata: {}, txSignature: null, sequence: 1 },
    ...{ createdAt: AT, paidAt: null, tax: { seller: SELLER, buyer: BUYER, notes: taxNotes(taxes, 'en') } },
    ...fields,
  };
}
const rate = (percentPpm: number, category: TaxCategory, name = 'VAT'): LineTax => ({
  ...{ taxRateId: null, name, percentPpm, country: 'DE', category, behavior: 'exclusive' },
});
const line = (amountCents: bigint, tax: LineTax | null, fields: Partial<InvoiceLine> = {}): InvoiceLine => ({
  ...{ description: 'Cup', quantity: 1n, unitAmountCents: amountCents, amountCents, discountCents: 0n, tax },
  taxCents: tax ? (amountCents * BigInt(tax.percentPpm)) / 1_000_000n : 0n,
  ...{ priceId: null, periodStart: null, periodEnd: null, ...fields },
});

/** Both forms, accepted by other people's schemas; answers them as another parser reads them. */
function accepted(document: ReturnType<typeof structureInvoice>) {
  const [ubl, cii] = [writeDocument(document, 'ubl'), writeDocument(document, 'cii')];
  expect([objectionsToUbl(ubl), objectionsToCii(cii)]).toEqual([[], []]);
  const [read, other] = [readXml(ubl), readXml(cii)];
  expect(brokenRules(read)).toEqual([]);
  expect(ciiAmounts(other)).toEqual(ublAmounts(read));
  return { ubl: read, cii: other };
}

const cents = (element: ReadElement | undefined) => BigInt((element?.text ?? '0.00').replace('.', ''));
const sum = (values: readonly bigint[]) => values.reduce((all, value) => all + value, 0n);
const ublTotals = (root: ReadElement, name: string) => cents(pick(root, 'cac:LegalMonetaryTotal', name)[0]);
const linesOf = (root: ReadElement) =>
  root.children.filter(({ name }) => name === 'cac:InvoiceLine' || name === 'cac:CreditNoteLine');

/** The sums that EN 16931 requires (BR-CO-10 to BR-CO-17, BR-S-08 and its siblings), of UBL. */
function brokenRules(root: ReadElement): string[] {
  const broken: string[] = [];
  const rule = (name: string, holds: boolean) => holds || broken.push(name);
  const lines = linesOf(root);
  const nets = lines.map((each) => cents(pick(each, 'cbc:LineExtensionAmount')[0]));
  const tax = cents(pick(root, 'cac:TaxTotal', 'cbc:TaxAmount')[0]);
  const net = ublTotals(root, 'cbc:TaxExclusiveAmount');
  const gross = ublTotals(root, 'cbc:TaxInclusiveAmount');
  rule('BR-CO-10', ublTotals(root, 'cbc:LineExtensionAmount') === sum(nets));
  rule('BR-CO-13', net === sum(nets));
  rule('BR-CO-15', gross === net + tax);
  rule('BR-CO-16', ublTotals(root, 'cbc:PayableAmount') === gross - ublTotals(root, 'cbc:PrepaidAmount'));
  const groups = pick(root, 'cac:TaxTotal', 'cac:TaxSubtotal');
  rule('BR-CO-14', sum(groups.map((each) => cents(pick(each, 'cbc:TaxAmount')[0]))) === tax);
  const keys = groups.map((each) => rateKey(pick(each, 'cac:TaxCategory')[0]!));
  rule('one breakdown a rate', new Set(keys).size === keys.length);
  rule('BR-O-11', !keys.some((key) => key.startsWith('O')) || keys.length === 1);
  for (const [at, each] of groups.entries()) {
    const own = lines.filter(
      (own) => rateKey(pick(own, 'cac:Item', 'cac:ClassifiedTaxCategory')[0]!) === keys[at],
    );
    const taxable = cents(pick(each, 'cbc:TaxableAmount')[0]);
    rule('BR-S-08', taxable === sum(own.map((own) => cents(pick(own, 'cbc:LineExtensionAmount')[0]))));
    const percent = Number(pick(each, 'cac:TaxCategory', 'cbc:Percent')[0]?.text ?? 0);
    const exact = (Number(taxable) * percent) / 100;
    rule(
      'BR-CO-17',
      Math.abs(Number(cents(pick(each, 'cbc:TaxAmount')[0])) - exact) < 100 + Math.abs(exact) / 2 ** 40,
    );
    const isCharged = /^[SZ]/.test(keys[at]!);
    rule('BR-E-10', isCharged === (pick(each, 'cac:TaxCategory', 'cbc:TaxExemptionReason').length === 0));
  }
  for (const [at, each] of lines.entries()) {
    const price = cents(pick(each, 'cac:Price', 'cbc:PriceAmount')[0]);
    const base = BigInt(pick(each, 'cac:Price', 'cbc:BaseQuantity')[0]!.text);
    const quantity = BigInt(each.children.find(({ name }) => name.endsWith('Quantity'))!.text);
    const off = cents(pick(each, 'cac:AllowanceCharge', 'cbc:Amount')[0]);
    rule('BR-27', price >= 0n);
    rule('the price of a line', (price * quantity) / base - off === nets[at]!);
  }
  return broken;
}

function rateKey(category: ReadElement): string {
  return ['cbc:ID', 'cbc:Percent'].map((name) => pick(category, name)[0]?.text).join(' ');
}

function ublAmounts(root: ReadElement) {
  const names = ['LineExtension', 'TaxExclusive', 'TaxInclusive', 'Prepaid', 'Payable'];
  return {
    totals: names.map((name) => ublTotals(root, `cbc:${name}Amount`)),
    taxes: pick(root, 'cac:TaxTotal', 'cac:TaxSubtotal').map((each) => [
      ...['cbc:TaxableAmount', 'cbc:TaxAmount'].map((name) => pick(each, name)[0]!.text),
      ...['cbc:ID', 'cbc:Percent', 'cbc:TaxExemptionReason'].map(
        (name) => pick(each, 'cac:TaxCategory', name)[0]?.text,
      ),
    ]),
    lines: linesOf(root).map((each) => [
      pick(each, 'cac:Item', 'cbc:Name')[0]!.text,
      pick(each, 'cbc:LineExtensionAmount')[0]!.text,
    ]),
  };
}

function ciiAmounts(root: ReadElement) {
  const deal = pick(root, 'rsm:SupplyChainTradeTransaction')[0]!;
  const settlement = pick(deal, 'ram:ApplicableHeaderTradeSettlement')[0]!;
  const sums = pick(settlement, 'ram:SpecifiedTradeSettlementHeaderMonetarySummation')[0]!;
  const names = ['LineTotal', 'TaxBasisTotal', 'GrandTotal', 'TotalPrepaid', 'DuePayable'];
  return {
    totals: names.map((name) => cents(pick(sums, `ram:${name}Amount`)[0])),
    taxes: pick(settlement, 'ram:ApplicableTradeTax').map((each) =>
      ['BasisAmount', 'CalculatedAmount', 'CategoryCode', 'RateApplicablePercent', 'ExemptionReason'].map(
        (name) => pick(each, `ram:${name}`)[0]?.text,
      ),
    ),
    lines: pick(deal, 'ram:IncludedSupplyChainTradeLineItem').map((each) => [
      pick(each, 'ram:SpecifiedTradeProduct', 'ram:Name')[0]!.text,
      pick(
        each,
        'ram:SpecifiedLineTradeSettlement',
        'ram:SpecifiedTradeSettlementLineMonetarySummation',
        'ram:LineTotalAmount',
      )[0]!.text,
    ]),
  };
}

test('200 random invoices and a credit note of each: two schemas accept them, and sums are the invoice’s', async () => {
  let seen = 0;
  for (let seed = 1; seen < 200; seed++) {
    const next = generator(seed);
    const { lines, discount, isTooMuch } = randomInvoice(seed);
    if (isTooMuch) continue;
    const priced = priceLines(lines, discount, () => undefined);
    if (next(4) === 0) priced.push(line(-1n - BigInt(next(50)), rate(70_000, 'S')));
    const gross = amountOfLines(priced);
    if (gross <= 0n) continue;
    seen++;
    const creditAppliedCents = next(3) === 0 ? gross / 3n : 0n;
    const invoice = invoiceOf(priced, {
      creditAppliedCents,
      amountPaidCents: next(2) === 0 ? 0n : (gross - creditAppliedCents) / 2n,
      waivedCents: 0n,
      remindedAt: null,
      timesReminded: 0,
      discount: { id: 'd', name: '10 % & more', promotionCode: null },
    });
    const { ubl } = accepted(structureInvoice(invoice, 'wallet', true));
    expect(ublTotals(ubl, 'cbc:TaxInclusiveAmount')).toBe(invoice.totalCents + creditAppliedCents);
    expect(ublTotals(ubl, 'cbc:PayableAmount')).toBe(amountDueCents(invoice));
    expect(cents(pick(ubl, 'cac:TaxTotal', 'cbc:TaxAmount')[0])).toBe(invoice.taxCents);
    const shares = creditShares(priced, [], gross / 2n + 1n);
    const taxCents = sum(shares.map((share) => share.taxCents));
    const note = structureCreditNote(
      {
        ...{ id: 'n', merchantId: 'm', number: 1n, refundId: 'r', projectId: 'p', customerId: null },
        ...{
          invoiceId: 'i',
          amountCents: gross / 2n + 1n,
          shares,
          tax: invoice.tax,
          taxCents,
          createdAt: AT,
        },
      },
      invoice,
      false,
    );
    const read = accepted(note);
    expect(ublTotals(read.ubl, 'cbc:TaxInclusiveAmount')).toBe(gross / 2n + 1n);
    expect(cents(pick(read.ubl, 'cac:TaxTotal', 'cbc:TaxAmount')[0])).toBe(taxCents);
  }
});

test('the schemas of others object to what is wrong', () => {
  const document = structureInvoice(invoiceOf([line(1_000n, rate(190_000, 'S'))]), null, false);
  const [ubl, cii] = [writeDocument(document, 'ubl'), writeDocument(document, 'cii')];
  for (const [right, wrong] of [
    ['<cbc:ID>S</cbc:ID>', '<cbc:ID>Q</cbc:ID>'],
    ['<cbc:DocumentCurrencyCode>USD</cbc:DocumentCurrencyCode>', ''],
    ['10.00', 'ten'],
    [/( *<cbc:IssueDate>.*\n)([\s\S]*)( *<\/Invoice>)/, '$2$1$3'],
  ] as const)
    expect(objectionsToUbl(ubl.replace(right, wrong))).not.toEqual([]);
  for (const [right, wrong] of [
    ['<ram:TypeCode>380</ram:TypeCode>', ''],
    ['ram:BilledQuantity', 'ram:Quantity'],
    ['<ram:LineTotalAmount>10.00', '<ram:LineTotalAmount>ten'],
  ] as const)
    expect(objectionsToCii(cii.replaceAll(right, wrong))).not.toEqual([]);
});

describe('every category', () => {
  test.each([
    ['S', rate(190_000, 'S'), undefined],
    ['Z', rate(0, 'Z'), undefined],
    ['E', rate(0, 'E', 'Exempt under § 19 UStG'), 'Exempt under § 19 UStG'],
    ['AE', rate(0, 'AE'), 'Reverse charge: the customer is liable for the VAT.'],
    ['K', rate(0, 'K'), 'Intra-Community supply, exempt from VAT.'],
    ['G', rate(0, 'G'), 'Export, exempt from VAT.'],
    ['O', rate(0, 'O', 'Outside the scope of tax'), 'Outside the scope of tax'],
  ])('%s is stated with the reason that it needs', async (category, tax, reason) => {
    const { ubl } = accepted(structureInvoice(invoiceOf([line(1_000n, tax)]), null, false));
    const group = pick(ubl, 'cac:TaxTotal', 'cac:TaxSubtotal', 'cac:TaxCategory')[0]!;
    expect(pick(group, 'cbc:ID')[0]!.text).toBe(category);
    expect(pick(group, 'cbc:TaxExemptionReason')[0]?.text).toBe(reason);
    expect(pick(group, 'cbc:Percent')).toHaveLength(category === 'O' ? 0 : 1);
    const vatIds = pick(
      ubl,
      'cac:AccountingSupplierParty',
      'cac:Party',
      'cac:PartyTaxScheme',
      'cbc:CompanyID',
    );
    expect(vatIds.some(({ text }) => text === 'DE136695976')).toBe(category !== 'O');
    expect(pick(ubl, 'cac:Delivery').length).toBe(category === 'K' ? 1 : 0);
  });

  test('what is not taxed is exempt beside what is, and not subject to tax where the seller has no tax id', async () => {
    const mixed = [line(1_000n, rate(190_000, 'S')), line(500n, null), line(100n, rate(0, 'O', 'Deposit'))];
    const { ubl } = accepted(structureInvoice(invoiceOf(mixed), null, false));
    const groups = pick(ubl, 'cac:TaxTotal', 'cac:TaxSubtotal');
    expect(groups.map((each) => pick(each, 'cac:TaxCategory', 'cbc:ID')[0]!.text)).toEqual(['S', 'E']);
    expect(pick(groups[1]!, 'cac:TaxCategory', 'cbc:TaxExemptionReason')[0]!.text).toBe(
      'No tax is charged.; Deposit',
    );
    const seller = { ...SELLER, taxIds: [], registrationNumber: null };
    const untaxed = invoiceOf([line(500n, null)], { tax: { seller, buyer: BUYER, notes: [] } });
    const read = accepted(structureInvoice(untaxed, null, false));
    expect(pick(read.ubl, 'cac:TaxTotal', 'cac:TaxSubtotal', 'cac:TaxCategory', 'cbc:ID')[0]!.text).toBe('O');
  });
});

test('prices that contain tax and prices without it share one breakdown for the same rate', async () => {
  const contained: LineTax = { ...rate(190_000, 'S'), behavior: 'inclusive' };
  const lines = [
    line(1_190n, contained, { taxCents: 190n, quantity: 7n, unitAmountCents: 170n }),
    line(1_000n, rate(190_000, 'S')),
  ];
  expect(taxesOf(lines)).toHaveLength(2);
  const { ubl } = accepted(structureInvoice(invoiceOf(lines), null, false));
  expect(ublAmounts(ubl).taxes).toEqual([['20.00', '3.80', 'S', '19', undefined]]);
});

test('what people have typed stays text, and characters that XML forbids are left out', async () => {
  const evil = 'A\u0000\u0008\uffff\ud800]]><x y="1">&amp;<!--<?xml \u202e"\'';
  const tax = {
    seller: {
      ...SELLER,
      legalName: evil,
      registrationNumber: evil,
      taxIds: [{ type: 'other' as const, value: evil }],
    },
    buyer: { ...BUYER, name: evil, email: evil, address: { ...BUYER.address!, line1: evil, city: '\u0001' } },
    notes: [evil],
  };
  const invoice = invoiceOf(
    [line(1_000n, rate(190_000, 'S', evil), { description: evil, discountCents: 0n })],
    {
      ...{
        tax,
        clientReferenceId: evil,
        number: evil,
        discount: { id: 'd', name: evil, promotionCode: evil },
      },
    },
  );
  const { ubl, cii } = accepted(structureInvoice(invoice, evil, true));
  const shown = 'A]]><x y="1">&amp;<!--<?xml \u202e"\'';
  expect(pick(ubl, 'cbc:ID')[0]!.text).toBe(shown);
  expect(pick(ubl, 'cac:InvoiceLine', 'cac:Item', 'cbc:Name')[0]!.text).toBe(shown);
  expect(pick(cii, 'rsm:ExchangedDocument', 'ram:ID')[0]!.text).toBe(shown);
  const blank = invoiceOf([line(1_000n, null, { description: '\u0001 \n', discountCents: 1n })]);
  expect(structureInvoice(blank, null, false).lines[0]).toMatchObject({
    ...{ name: 'Item', allowance: { reason: 'Discount' } },
  });
});

describe('409', () => {
  const refusal = (fields: Partial<Invoice>, tax: LineTax | null = rate(190_000, 'S')) => {
    try {
      structureInvoice(invoiceOf([line(1_000n, tax)], fields), null, false);
    } catch (error) {
      return (error as Error).message;
    }
    return 'none';
  };
  const with_ = (seller: Seller | null, buyer: Buyer | null) => ({ tax: { seller, buyer, notes: [] } });

  test('for an invoice without a number, and for a void one', () => {
    expect(refusal({ number: null })).toContain('no number yet');
    expect(refusal({ status: 'void' })).toContain('is void');
  });

  test('names all that is missing', () => {
    expect(refusal({ tax: null })).toContain('without seller, buyer.name, buyer.country.');
    expect(refusal(with_(null, BUYER))).toContain('without seller.');
    expect(refusal(with_({ ...SELLER, taxIds: [] }, BUYER))).toContain('without seller.taxIds.');
    expect(refusal(with_(SELLER, { ...BUYER, name: null, country: null }))).toContain(
      'without buyer.country.',
    );
    expect(refusal(with_(SELLER, { ...BUYER, taxIds: [] }), rate(0, 'AE'))).toContain(
      'buyer.taxIds (a VAT number)',
    );
    const local = { ...SELLER, taxIds: [{ type: 'other' as const, value: '1' }] };
    expect(refusal(with_(local, BUYER), rate(0, 'K'))).toContain('seller.taxIds (a VAT number)');
  });
});
