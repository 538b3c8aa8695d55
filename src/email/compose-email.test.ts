import { expect, test } from 'vitest';
import { composeEmail } from './compose-email.ts';
import type { ClaimedEmail } from './email.ts';

const AT = new Date('2026-03-08T14:05:00Z');
const TO = {
  id: '019b76da-a800-7000-8000-000000000001',
  merchantId: '019b76da-a800-7000-8000-000000000002',
  email: 'ann@example.com',
  recipientName: 'Ann',
  senderName: 'Shop',
  brandColor: null,
  replyTo: null,
  logoFile: null,
};

function textIn(language: string, content: object): string {
  const message = { ...TO, language, ...content } as unknown as ClaimedEmail;
  return composeEmail(message, 'https://pay.example').text.replaceAll(/[\u00a0\u202f]/g, ' ');
}

test.each([
  [
    'en',
    ['Please pay $1,234.50 by March 8, 2026 at 2:05 PM UTC.', '8.875% VAT: $100.62', 'Discount: -$5.00'],
  ],
  [
    'de',
    ['zahlen Sie 1.234,50 $ bis zum 8. März 2026 um 14:05 UTC.', '8,875 % VAT: 100,62 $', 'Rabatt: -5,00 $'],
  ],
  [
    'es',
    ['Pague 1234,50 US$ antes del 8 de marzo de 2026', '8,875 % VAT: 100,62 US$', 'Descuento: -5,00 US$'],
  ],
  [
    'fr',
    [
      'payer 1 234,50 $US avant le 8 mars 2026 à 14:05 UTC.',
      '8,875 % VAT : 100,62 $US',
      'Remise : -5,00 $US',
      'Voir et payer :\n',
    ],
  ],
  ['ar', ['\u20661,234.50 US$\u2069', '8 مارس 2026 في 2:05 م UTC', '8.875% VAT: \u2066100.62 US$\u2069']],
])('%s: amounts, dates and percentages as its readers write them', (language, parts) => {
  const facts = {
    number: 'INV-1',
    items: [{ description: 'Plan', amountCents: 113_388n }],
    discountCents: 500n,
    taxes: [{ text: 'VAT', percent: 8.875, isContained: false, taxCents: 10_062n }],
    creditCents: 0n,
    totalCents: 123_450n,
    dueCents: 123_450n,
    dueAt: AT,
    endsAt: null,
    paidAt: null,
    payUrl: 'https://pay.example/checkout/cs_1',
    txSignature: null,
  };
  const text = textIn(language, { kind: 'invoice', facts });
  for (const part of parts) expect(text).toContain(part);
});

test.each([
  ['en', ['refund you $1,234.50', 'until March 8, 2026 at 2:05 PM UTC.']],
  ['de', ['Ihnen 1.234,50 $ zurück', 'gilt bis zum 8. März 2026 um 14:05 UTC.']],
  ['es', ['reembolsarle 1234,50 US$', 'hasta el 8 de marzo de 2026']],
  ['fr', ['rembourser 1 234,50 $US', 'jusqu’au 8 mars 2026 à 14:05 UTC.']],
  ['ar', ['\u20661,234.50 US$\u2069', 'حتى 8 مارس 2026 في 2:05 م UTC']],
])('%s: a refund, too', (language, parts) => {
  const facts = {
    number: 'RF-1',
    amountCents: 123_450n,
    expiresAt: AT,
    address: null,
    sentAt: null,
    creditNoteNumber: null,
    txSignature: null,
  };
  const text = textIn(language, { kind: 'refund_claim', facts });
  for (const part of parts) expect(text).toContain(part);
});

test('a tax that was queued with its percentage as text is written as it was queued', () => {
  const facts = {
    number: 'INV-1',
    items: [],
    taxes: [{ text: 'VAT 19 %', isContained: true, taxCents: 19n }],
    creditCents: 0n,
    totalCents: 119n,
    dueCents: 0n,
    dueAt: null,
    endsAt: null,
    paidAt: AT,
    payUrl: null,
    txSignature: null,
  };
  expect(textIn('en', { kind: 'receipt', facts })).toContain('incl. VAT 19 %: $0.19');
});

const UNPAID = {
  ...{ number: 'INV-1', items: [], creditCents: 0n, totalCents: 1_000n, dueCents: 1_000n, dueAt: AT },
  ...{ endsAt: null, paidAt: null, payUrl: 'https://pay.example/checkout/cs_1', txSignature: null },
};

test.each([
  ['en', 'Shop: Reminder: your invoice', 'Reverse charge: $0.00'],
  ['de', 'Shop: Erinnerung: Ihre Rechnung', 'Steuerschuldnerschaft des Leistungsempfängers: 0,00 $'],
  ['es', 'Shop: Recordatorio: su factura', 'Inversión del sujeto pasivo: 0,00 US$'],
  ['fr', 'Shop : Rappel : votre facture', 'Autoliquidation : 0,00 $US'],
  ['ar', 'Shop: تذكير: موعد دفع فاتورتك', 'الاحتساب العكسي: \u20660.00 US$\u2069'],
])('%s: the subject has one kind of colon, and reverse charge its own name', (language, subject, row) => {
  const taxes = [{ text: 'Reverse charge', isReverseCharge: true, isContained: false, taxCents: 0n }];
  const content = { kind: 'invoice_reminder', facts: { ...UNPAID, taxes } };
  const message = { ...TO, language, ...content } as unknown as ClaimedEmail;
  expect(composeEmail(message, 'https://pay.example').subject.replaceAll('\u00a0', ' ')).toContain(subject);
  expect(textIn(language, content)).toContain(row);
});

test.each([
  ['en', 'The rest is due by March 8, 2026', 'The rest was due by March 8, 2026'],
  ['de', 'Der Rest ist am 8. März 2026', 'Der Rest war am 8. März 2026'],
  ['es', 'El resto vence el 8 de marzo', 'El resto venció el 8 de marzo'],
  ['fr', 'Le reste est à payer avant le 8 mars', 'Le reste était à payer avant le 8 mars'],
  ['ar', 'يجب دفع الباقي قبل 8 مارس', 'كان يجب دفع الباقي قبل 8 مارس'],
])('%s: the rest of an invoice made by hand is, or was, due on its date', (language, due, overdue) => {
  const say = (facts: object) => textIn(language, { kind: 'rest_reminder', facts: { ...UNPAID, ...facts } });
  expect(say({})).toContain(`\n\n${due}`);
  expect(say({ isOverdue: true })).toContain(overdue);
});
