import { expect, test } from 'vitest';
import { readPdf, readPdfItems, readPdfLinks, scanPdf } from '../../../test/support/read-pdf.ts';
import { SIGNATURE, sampleInvoice, sampleLine } from '../../../test/support/sample-invoice.ts';
import { LANGUAGES } from '../../platform/lib/language.ts';
import type { CreditNoteDocument } from './credit-note-document.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { renderCreditNotePdf, renderInvoicePdf } from './render-invoice-pdf.ts';

const PAY_URL = `https://pay.example.com/checkout/cs_${'0123456789abcdef'.repeat(3)}`;
const tax = { name: 'VAT', percent: 19.5, isContained: true, taxableCents: 8_403n, taxCents: 1_639n };

function openInvoice(changes: Partial<InvoiceDocument> = {}): InvoiceDocument {
  return sampleInvoice({
    status: 'open',
    amountDueCents: 1_262_000n,
    amountPaidCents: 0n,
    paidAt: null,
    txSignature: null,
    payUrl: PAY_URL,
    taxes: [tax],
    ...changes,
  });
}

function creditNote(changes: Partial<CreditNoteDocument> = {}): CreditNoteDocument {
  const { merchant, customer } = sampleInvoice();
  return {
    number: 'CN-000001',
    issuedAt: new Date('2026-11-03T12:00:00Z'),
    refundNumber: 'RF-000001',
    invoiceNumber: 'INV-000042',
    merchant,
    project: null,
    customer,
    isOverpayment: false,
    amountCents: 123_450n,
    address: merchant.payoutAddress!,
    txSignature: SIGNATURE,
    network: 'mainnet',
    ...changes,
  };
}

/** Lines as they are read, with one kind of space. */
async function linesOf(bytes: Uint8Array): Promise<string[]> {
  const text = (await readPdf(bytes)).join('\n').replace(/[\u00a0\u202f]/g, ' ');
  return text
    .replaceAll('\u200f', '')
    .split('\n')
    .map((line) => line.trimEnd());
}

test('a German invoice is German throughout, in words, days and amounts', async () => {
  const lines = await linesOf(await renderInvoicePdf(openInvoice({ language: 'de' })));
  expect(lines).toEqual([
    'Rechnung OFFEN Nordlicht Audio GmbH',
    'Rechnungsnummer INV-000042',
    'Rechnungsdatum 1. Nov. 2026',
    'Fällig am 15. Nov. 2026',
    'Leistungszeitraum 1. Nov. 2026 – 1. Dez. 2026',
    'Bestellnummer order-2026-118',
    'Kundenreferenz PO 4711',
    'Rechnungssteller',
    'Nordlicht Audio GmbH',
    'Streaming API',
    'Rechnungsempfänger',
    'Anna Kovács',
    'anna@example.com',
    'cus_8812',
    '12.620,00 $ fällig am 15. Nov. 2026',
    'Beschreibung Menge Einzelpreis Betrag',
    'Pro plan 1 49,00 $ 49,00 $',
    '1. Nov. 2026 – 1. Dez. 2026',
    'Additional seats 12 8,00 $ 96,00 $',
    '1. Nov. 2026 – 1. Dez. 2026',
    'API requests above the included million 1.250.000 0,01 $ 12.500,00 $',
    'Zwischensumme 12.645,00 $',
    'Verrechnetes Guthaben -25,00 $',
    'Gesamtbetrag 12.620,00 $',
    'enthält VAT 19,5 % auf 84,03 $ 16,39 $',
    'Offener Betrag 12.620,00 $',
    'Zahlung',
    'Netzwerk Solana mainnet',
    ...lines.filter((line) => /https|^cs_/.test(line)),
    'Zum Bezahlen den Code scannen oder den Link öffnen.',
    'Alle Beträge in US-Dollar, zahlbar in USDC.',
    'INV-000042 1 / 1',
  ]);
});

test.each([
  [
    'es',
    ['Factura rectificativa REEMBOLSADA', 'Reembolso de la factura INV-000042 1 1234,50 US$ 1234,50 US$'],
  ],
  ['fr', ['Avoir REMBOURSÉ', 'Remboursement de la facture INV-000042 1 1 234,50 $US 1 234,50 $US']],
  ['de', ['Rechnungskorrektur ERSTATTET', 'Zu Rechnung INV-000042', '1.234,50 $ erstattet am 3. Nov. 2026']],
] as const)('a credit note speaks %s', async (language, parts) => {
  const text = (await linesOf(await renderCreditNotePdf(creditNote({ language })))).join('\n');
  for (const part of parts) expect(text).toContain(part);
});

test('a French discount has a space before its colon', async () => {
  const discount = { name: 'Half', promotionCode: null };
  const bytes = await renderInvoicePdf(openInvoice({ language: 'fr', discount, discountCents: 1_000n }));
  expect(await linesOf(bytes)).toContain('Remise : Half -10,00 $US');
});

test.each(LANGUAGES)(
  'in %s the file says so, and the same invoice gives the same bytes',
  async (language) => {
    const bytes = await renderInvoicePdf(openInvoice({ language }));
    expect(Buffer.from(bytes).toString('latin1')).toContain(`/Lang (${language})`);
    expect(Buffer.from(await renderInvoicePdf(openInvoice({ language }))).equals(bytes)).toBe(true);
    const other = Buffer.from(await renderCreditNotePdf(creditNote({ language })));
    expect(other.toString('latin1')).toContain(`/Lang (${language})`);
  },
);

test.each(LANGUAGES)('in %s nothing leaves the page or covers something else', async (language) => {
  const description = 'Consulting with travel, preparation and a workshop for eleven people. '
    .repeat(8)
    .trim();
  const invoice = openInvoice({
    language,
    lines: Array.from({ length: 40 }, () => sampleLine(description, 3n, 123_456_789n)),
    discount: {
      name: 'Summer sale for everyone who came back to us after a year or two',
      promotionCode: 'SUMMER-2026',
    },
    discountCents: 1_000n,
    taxes: [tax, { ...tax, isContained: false }],
    memo: 'Thank you.\n\nSee you soon.',
    network: 'sandbox',
  });
  const pages = await readPdfItems(await renderInvoicePdf(invoice));
  expect(pages.length).toBeGreaterThan(3);
  for (const items of pages)
    for (const [index, item] of items.entries()) {
      expect(item.x, item.str).toBeGreaterThanOrEqual(47.9);
      expect(item.x + item.width, item.str).toBeLessThanOrEqual(595.28 - 47.9);
      const covered = items
        .slice(index + 1)
        .filter((other) => Math.abs(other.y - item.y) < 0.1)
        .filter(
          (other) => Math.min(item.x + item.width, other.x + other.width) - Math.max(item.x, other.x) > 0.5,
        );
      expect(covered.map(({ str }) => `${item.str} / ${str}`)).toEqual([]);
    }
});

test('Arabic is laid out from the right, with figures from left to right', async () => {
  const bytes = await renderInvoicePdf(openInvoice({ language: 'ar', taxNotes: ['Reverse charge.'] }));
  const [items] = await readPdfItems(bytes);
  const number = items!.find(({ str }) => str.trim() === 'INV-000042')!;
  const english = (await readPdfItems(await renderInvoicePdf(openInvoice())))[0]!;
  const before = english.find(({ str }) => str.trim() === 'INV-000042')!;
  expect(number.x + number.width).toBeCloseTo(595.28 - before.x, 1);
  const lines = await linesOf(bytes);
  expect(lines).toContain('Additional seats 12 8.00 US$ 96.00 US$');
  expect(lines).toContain('المجموع الفرعي12,645.00 US$');
  expect(lines.join('\n')).toContain('رقم الفاتورة');
});

test('our own words in a line are translated, the name in them is not', async () => {
  const line = {
    ...sampleLine('Payment for $& order'),
    standardText: { line: 'paymentFor', name: '$& order' },
  } as const;
  const said = async (language: 'fr' | 'en') =>
    linesOf(await renderInvoicePdf(openInvoice({ language, lines: [line] })));
  expect(await said('fr')).toContain('Paiement pour $& order 1 10,00 $US 10,00 $US');
  expect(await said('en')).toContain('Payment for $& order 1 $10.00 $10.00');
});

test.each(LANGUAGES)('an invoice in %s that can be paid has a code and a link to where', async (language) => {
  const bytes = await renderInvoicePdf(openInvoice({ language }));
  expect(scanPdf(bytes)).toBe(PAY_URL);
  const links = (await readPdfLinks(bytes)).flat();
  expect(links.length).toBeGreaterThan(1);
  expect(new Set(links)).toEqual(new Set([PAY_URL]));
  // A payment to the bare address could not be matched.
  expect((await readPdf(bytes)).join()).not.toContain('7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU');
});

test.each(['i'.repeat(32), 'WnV2RLw7tqsyDa60RKD1PHBwyMQFCqco'])(
  'the link stays on one line whether its letters are narrow or wide: cs_%s',
  async (id) => {
    const payUrl = `https://pay.example.com/checkout/cs_${id}`;
    const lines = await linesOf(await renderInvoicePdf(openInvoice({ payUrl })));
    expect(lines).toContain(`Pay online ${payUrl}`);
  },
);

test('a long address to pay at makes a larger code, and nothing breaks out of the link', async () => {
  const payUrl = `https://pay.example.com/${'a'.repeat(400)}/checkout/)>>(x`;
  const bytes = await renderInvoicePdf(openInvoice({ payUrl }));
  expect(scanPdf(bytes)).toBe(payUrl);
  expect(new Set((await readPdfLinks(bytes)).flat())).toEqual(new Set([new URL(payUrl).href]));
});

test('a code stays on one page with its link', async () => {
  for (let count = 1; count <= 24; count++) {
    const lines = Array.from({ length: count }, (_, index) => sampleLine(`Item ${index}`));
    const bytes = await renderInvoicePdf(openInvoice({ lines }));
    const pages = (await readPdfLinks(bytes)).filter((links) => links.length > 0);
    expect(pages).toHaveLength(1);
    expect(scanPdf(bytes)).toBe(PAY_URL);
  }
});

test.each(['draft', 'paid', 'void'] as const)('an invoice that is %s has none', async (status) => {
  const bytes = await renderInvoicePdf(openInvoice({ status, amountDueCents: 0n }));
  expect(scanPdf(bytes)).toBeUndefined();
  expect((await readPdfLinks(bytes)).flat()).toEqual([]);
});

test('without a page to pay on, the address stays', async () => {
  const lines = await linesOf(await renderInvoicePdf(openInvoice({ payUrl: null })));
  expect(lines).toContain('Pay to 7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU');
});
