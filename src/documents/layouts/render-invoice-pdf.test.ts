import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPdf, readPdfItems } from '../../../test/support/read-pdf.ts';
import { SIGNATURE, sampleInvoice, sampleLine } from '../../../test/support/sample-invoice.ts';
import type { InvoiceDocument } from './invoice-document.ts';
import { renderInvoicePdf } from './render-invoice-pdf.ts';

const MAX_INT64 = 9_223_372_036_854_775_807n;

async function linesOf(changes: Partial<InvoiceDocument> = {}): Promise<string[]> {
  return (await readPdf(await renderInvoicePdf(sampleInvoice(changes)))).join('\n').split('\n');
}

test('a paid invoice says who, what, how much, and by which transaction', async () => {
  expect(await linesOf()).toEqual([
    'Invoice PAID Nordlicht Audio GmbH',
    'Invoice number INV-000042',
    'Date of issue Nov 1, 2026',
    'Date due Nov 15, 2026',
    'Date paid Nov 3, 2026',
    'Billing period Nov 1, 2026 – Dec 1, 2026',
    'Order reference order-2026-118',
    'Client reference PO 4711',
    'From',
    'Nordlicht Audio GmbH',
    'Streaming API',
    'Bill to',
    'Anna Kovács',
    'anna@example.com',
    'cus_8812',
    '$12,620.00 paid on Nov 3, 2026',
    'Description Quantity Unit price Amount',
    'Pro plan 1 $49.00 $49.00',
    'Nov 1, 2026 – Dec 1, 2026',
    'Additional seats 12 $8.00 $96.00',
    'Nov 1, 2026 – Dec 1, 2026',
    'API requests above the included million 1,250,000 $0.01 $12,500.00',
    'Subtotal $12,645.00',
    'Credit applied -$25.00',
    'Total $12,620.00',
    'Amount paid $12,620.00',
    'Amount due $0.00',
    'Payment',
    'Network Solana mainnet',
    'Paid to 7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
    'Paid on Nov 3, 2026',
    `Transaction ${SIGNATURE}`,
    'Amounts are in US dollars and are paid in USDC.',
    'INV-000042 1 / 1',
  ]);
});

test.each([
  [{ status: 'open', amountDueCents: 1_262_000n }, 'OPEN', '$12,620.00 due Nov 15, 2026'],
  [{ status: 'open', amountDueCents: 5n, dueAt: null }, 'OPEN', '$0.05 due'],
  [{ status: 'void' }, 'VOID', '$12,620.00 void. Nothing is due.'],
  [{ status: 'uncollectible', amountDueCents: 1_262_000n }, 'UNPAID', '$12,620.00 unpaid'],
] as const)('%o says so', async (changes, badge, headline) => {
  const lines = await linesOf({ ...changes, paidAt: null, txSignature: null, amountPaidCents: 0n });
  expect(lines[0]).toBe(`Invoice ${badge} Nordlicht Audio GmbH`);
  expect(lines).toContain(headline);
  expect(lines.filter((line) => /^(Paid|Amount paid|Transaction)/.test(line))).toEqual([]);
  expect(lines.some((line) => line.startsWith('Pay to '))).toBe(badge !== 'VOID');
});

test('refunds are listed below payments', async () => {
  const lines = await linesOf({ refundedCents: 12_345n });
  const at = lines.indexOf('Refunded -$123.45');
  expect(lines.slice(at - 1, at + 2)).toEqual([
    'Amount paid $12,620.00',
    'Refunded -$123.45',
    'Amount due $0.00',
  ]);
});

test('what is not known is left out', async () => {
  const lines = await linesOf({
    merchant: { name: null, payoutAddress: null },
    customer: null,
    lines: [],
    creditAppliedCents: 0n,
    merchantReference: null,
    clientReferenceId: null,
  });
  expect(lines[0]).toBe('Invoice PAID Streaming API');
  expect(lines.filter((line) => /^(Bill to|Credit|Order ref|Client ref|Paid to)/.test(line))).toEqual([]);
});

test('an invoice in test money says so', async () => {
  const lines = await linesOf({ network: 'sandbox' });
  expect(lines[0]).toBe('Invoice PAID TEST Nordlicht Audio GmbH');
  expect(lines).toContain('Network Sandbox');
  expect(lines.join(' ')).toContain('no real money');
});

test.each([
  'Подписка «Про» на ноябрь — Ёлка',
  'Συνδρομή Νοεμβρίου',
  '月額プラン（11月分）ご利用料金',
  '专业版订阅服务费，包括技术支持',
  '專業版訂閱服務費與技術支援',
  '프로 요금제 11월 이용료',
  'محمد عبد الله',
  'اشتراك الخطة الاحترافية مع الدعم الفني لا غير',
  'מנוי מקצועי לחשבונית',
  'แผนโปรประจำเดือนพฤศจิกายน น้ำ',
  'प्रो योजना क्षत्रिय की सदस्यता',
  'প্রো প্ল্যান সদস্যতা',
  'தமிழ் திட்டம் கொள்',
  'ප්‍රෝ සැලැස්ම',
  'პრო გეგმა · Պրո պլան',
  'Tiếng Việt: Gói chuyên nghiệp',
  'Emoji 👩‍👩‍👧 🇩🇪 ❤️ 🎉 ✓ ★ → € ₿ ₹',
  'no font has \u{10fffd} or 𓀀 here',
  '-> 5x7 fi ffl 1/2 (c) a:b',
])('%s is read back as it was written', async (text) => {
  const lines = await linesOf({
    lines: [sampleLine(text)],
    customer: { name: text, email: null, externalCustomerId: null },
  });
  expect(lines).toContain(text);
  expect(lines).toContain(`${text} 1 $10.00 $10.00`);
});

test('right-to-left text with numbers, brackets and vowels is read back in the order it was written', async () => {
  const texts = [
    'اشتراك (نوفمبر 2026) مع الدعم',
    'מנוי Pro (2026) עד 10 USD סוף',
    'Invoice מספר 17: שלום, עולם',
    'בָּרוּךְ הבא לחשבונית',
    'شكراً جزيلاً لكم',
  ].map((text) => text.normalize('NFC'));
  const lines = await linesOf({ lines: texts.map((text) => sampleLine(text)) });
  const read = lines.map((line) => line.replaceAll('\u200f', ''));
  for (const text of texts) expect(read).toContain(`${text} 1 $10.00 $10.00`);
});

test('text that tries to hide or to turn its neighbours is printed plainly', async () => {
  const name = 'Evil\u202e gpj.exe\u0000\u0007 \u2066x\u2069\ud800\n\n) Tj ET';
  const lines = await linesOf({ customer: { name, email: null, externalCustomerId: null } });
  expect(lines).toContain('Evil gpj.exe x\ufffd ) Tj ET');
});

test('any text at all makes a readable file', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
  );
  await fc.assert(
    fc.asyncProperty(text, text, async (name, description) => {
      const lines = await linesOf({
        customer: { name, email: name, externalCustomerId: description },
        lines: [sampleLine(description)],
      });
      expect(lines).toContain('Amount due $0.00');
    }),
    { numRuns: 60 },
  );
});

test('200 lines run over pages that each repeat the header and are numbered', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => sampleLine(`Item ${index + 1} of the order`));
  const pages = await readPdf(await renderInvoicePdf(sampleInvoice({ lines })));
  expect(pages.length).toBeGreaterThan(5);
  pages.forEach((page, index) => {
    expect(page).toContain('Description Quantity Unit price Amount');
    expect(page).toContain(`INV-000042 ${index + 1} / ${pages.length}`);
  });
  const items = [...pages.join('\n').matchAll(/^Item (\d+) of the order 1 \$10\.00 \$10\.00$/gm)];
  expect(items.map((match) => Number(match[1]))).toEqual(lines.map((_, index) => index + 1));
});

test('the longest texts and the largest amounts stay inside the page and apart from each other', async () => {
  const widest = {
    ...sampleLine('W'.repeat(300)),
    quantity: MAX_INT64,
    unitAmountCents: MAX_INT64,
    amountCents: MAX_INT64,
  };
  const description = 'Two thousand characters of text. '.repeat(62).slice(0, 2000).trim();
  const bytes = await renderInvoicePdf(
    sampleInvoice({
      merchant: { name: 'W'.repeat(255), payoutAddress: null },
      customer: {
        name: '名'.repeat(255),
        email: `${'e'.repeat(243)}@example.com`,
        externalCustomerId: '🎉'.repeat(255),
      },
      merchantReference: 'W'.repeat(255),
      clientReferenceId: 'ש'.repeat(255),
      lines: [widest, sampleLine(description)],
      subtotalCents: MAX_INT64,
      creditAppliedCents: MAX_INT64,
      totalCents: MAX_INT64,
      amountPaidCents: MAX_INT64,
      amountDueCents: MAX_INT64,
    }),
  );
  const pages = await readPdfItems(bytes);
  for (const items of pages)
    for (const item of items) {
      expect(item.x, item.str).toBeGreaterThanOrEqual(47.9);
      expect(item.x + item.width, item.str).toBeLessThanOrEqual(595.28 - 47.9);
      expect(item.y, item.str).toBeGreaterThan(30);
      expect(item.y, item.str).toBeLessThan(842 - 47);
    }
  expect(overlaps(pages)).toEqual([]);
  const described = pages.flat().filter((item) => item.str.includes('thousand'));
  expect(Math.max(...described.map((item) => item.width))).toBeGreaterThan(120);
  const text = (await readPdf(bytes)).join('\n');
  expect(text).toContain('9,223,372,036,854,775,807 $92,233,720,368,547,758.07 $92,233,720,368,547,758.07');
  expect(text).toContain('Credit applied -$92,233,720,368,547,758.07');
  expect(text.replaceAll('\n', '')).toContain('名'.repeat(255));
  expect(text.match(/characters/g)).toHaveLength(60);
});

/** Pairs of pieces on one baseline of which one begins before the other ends. */
function overlaps(pages: Awaited<ReturnType<typeof readPdfItems>>): string[] {
  return pages.flatMap((items) =>
    items.flatMap((item, index) =>
      items
        .slice(index + 1)
        .filter((other) => Math.abs(other.y - item.y) < 0.1)
        .filter(
          (other) => Math.max(item.x, other.x) < Math.min(item.x + item.width, other.x + other.width) - 0.5,
        )
        .map((other) => `${item.str} / ${other.str}`),
    ),
  );
}

test('the same invoice gives the same bytes, another one others', async () => {
  const first = await renderInvoicePdf(sampleInvoice());
  await renderInvoicePdf(sampleInvoice({ customer: null, number: '別' }));
  expect(Buffer.from(await renderInvoicePdf(sampleInvoice())).equals(first)).toBe(true);
  expect(Buffer.from(await renderInvoicePdf(sampleInvoice({ number: 'INV-000043' }))).equals(first)).toBe(
    false,
  );
});

test('only the letters in use are embedded: a common invoice is small', async () => {
  expect((await renderInvoicePdf(sampleInvoice())).length).toBeLessThan(20_000);
  const name = '株式会社サンプル音楽配信サービス';
  const lines = ['月額プラン（11月分）ご利用料金', '追加ユーザー', '消費税'].map((text) => sampleLine(text));
  const japanese = sampleInvoice({ lines, merchant: { name, payoutAddress: null } });
  expect((await renderInvoicePdf(japanese)).length).toBeLessThan(60_000);
});
