import { beforeAll, describe, expect, test } from 'vitest';
import {
  bring,
  expectSound,
  newCustomer,
  newPrice,
  newProject,
  newSession,
  readInvoice,
  readSession,
} from '../../../test/support/billing.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers freely.
type Answer = any;

let service: TestService;
let shop: TestMerchant;
let projectId: string;
let vat: Answer;
let low: Answer;

const SELLER = {
  legalName: 'Muster GmbH',
  address: { line1: 'Weg 1', postalCode: '10115', city: 'Berlin' },
  country: 'DE',
  taxIds: [{ type: 'eu_vat', value: 'DE136695976' }],
  registrationNumber: 'HRB 1',
};

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop, { seller: SELLER })).id;
  const rate = { projectId, name: 'VAT', country: 'DE' };
  vat = (await shop.call('POST', '/api/v2/tax-rates', { ...rate, percent: 19, isDefault: true })).body;
  low = (await shop.call('POST', '/api/v2/tax-rates', { ...rate, percent: 7 })).body;
});

const added = (fields: object = {}) => newPrice(shop, projectId, { taxBehavior: 'exclusive', ...fields });
const contained = (fields: object = {}) => newPrice(shop, projectId, { taxBehavior: 'inclusive', ...fields });
const buy = (priceId: string, fields: object = {}) => newSession(shop, projectId, { priceId, ...fields });
const pdfOf = async (invoiceId: string) => {
  const url = `${service.url}/api/v2/invoices/${invoiceId}/pdf`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${shop.key}` } });
  return (await readPdf(new Uint8Array(await response.arrayBuffer()))).join('\n').split('\n');
};

describe('what a checkout costs', () => {
  test('tax is added to a price, and session, intent, invoice and PDF say the same', async () => {
    const price = await added({ unitAmountCents: 10_050 });
    const session = await buy(price.id, { externalCustomerId: 'ada', customerName: 'Ada' });
    expect(session).toMatchObject({ amountCents: 11_960, taxCents: 1_910 });
    expect(session.lineItems).toMatchObject([{ amountCents: 10_050, taxCents: 1_910 }]);
    const rate = { taxRateId: vat.id, name: 'VAT', percent: 19, country: 'DE', category: 'S' };
    const taxes = [{ ...rate, behavior: 'exclusive', taxableCents: 10_050, taxCents: 1_910 }];
    expect(session.taxes).toEqual(taxes);
    expect(await readSession(shop, session.id)).toEqual(session);
    const { body: intent } = await shop.call('GET', `/api/merchants/intents/${session.paymentIntentId}`);
    expect(intent.expectedAmountCents).toBe(11_960);
    const invoice = await readInvoice(shop, session.invoiceId);
    expect(invoice).toMatchObject({
      ...{ subtotalCents: 10_050, taxes, taxCents: 1_910, totalCents: 11_960, amountDueCents: 11_960 },
      lines: [{ taxCents: 1_910, tax: { ...rate, behavior: 'exclusive' } }],
      seller: { legalName: 'Muster GmbH', country: 'DE' },
      buyer: { name: 'Ada', country: null, isBusiness: false },
      taxNotes: [],
    });
    const text = await pdfOf(invoice.id);
    for (const line of [
      'Muster GmbH',
      'Weg 1',
      '10115 Berlin',
      'Germany',
      'Registration number HRB 1',
      'VAT ID DE136695976',
      'Subtotal $100.50',
      'VAT 19% on $100.50 $19.10',
      'Total $119.60',
    ])
      expect(text.join('\n')).toContain(line);
  });

  test('tax is contained in a price, which stays', async () => {
    const price = await contained({ unitAmountCents: 11_900, taxRateId: vat.id });
    const session = await buy(price.id);
    expect(session).toMatchObject({ amountCents: 11_900, taxCents: 1_900 });
    const invoice = await readInvoice(shop, session.invoiceId);
    expect(invoice).toMatchObject({
      taxes: [{ behavior: 'inclusive', taxableCents: 10_000, taxCents: 1_900 }],
      ...{ subtotalCents: 11_900, totalCents: 11_900 },
    });
    expect((await pdfOf(invoice.id)).join('\n')).toContain('incl. VAT 19% on $100.00 $19.00');
  });

  test('the PDF names no tax of a trial that costs nothing, only that of the set-up fee', async () => {
    const plan = await contained({
      ...{ billingMode: 'subscription', recurringInterval: 'month', trialDays: 14, taxRateId: vat.id },
    });
    const fee = { name: 'Set-up', unitAmountCents: 1_070, taxBehavior: 'inclusive', taxRateId: low.id };
    const session = await newSession(shop, projectId, {
      ...{ mode: 'subscription', amountCents: undefined, externalCustomerId: 'trial', customerName: 'Ada' },
      lineItems: [{ priceId: plan.id }, fee],
    });
    const text = (await pdfOf(session.invoiceId)).join('\n');
    expect(text).toContain('incl. VAT 7% on $10.00 $0.70');
    expect(text).not.toContain('19%');
  });

  test('several rates, quantities, own items and a discount: each rate is rounded once', async () => {
    const price = await added({ unitAmountCents: 33 });
    const { body: discount } = await shop.call('POST', '/api/v2/discounts', {
      ...{ projectId, name: 'Sale', percentOff: 50 },
    });
    const lineItems = [
      { priceId: price.id, quantity: 3 },
      { name: 'Book', unitAmountCents: 107, taxBehavior: 'inclusive', taxRateId: low.id },
      { name: 'Gift', unitAmountCents: 5 },
      { name: 'Cup', unitAmountCents: 33, taxBehavior: 'exclusive' },
    ];
    const session = await newSession(shop, projectId, {
      ...{ amountCents: undefined, lineItems, discountId: discount.id },
    });
    expect(session).toMatchObject({ discountCents: 122, taxCents: 13 + 3, amountCents: 244 - 122 + 13 });
    expect(session.taxes).toMatchObject([
      { percent: 7, behavior: 'inclusive', taxableCents: 50, taxCents: 3 },
      { percent: 19, behavior: 'exclusive', taxableCents: 66, taxCents: 13 },
    ]);
    await bring(service, shop, session, session.amountCents);
    expect(await readInvoice(shop, session.invoiceId)).toMatchObject({ status: 'paid', amountDueCents: 0 });
    await expectSound(service);
  });

  test('many at once cost what one does', async () => {
    const price = await added({ unitAmountCents: 1_000 });
    await buy(price.id);
    const sessions = await Promise.all(Array.from({ length: 30 }, () => buy(price.id)));
    expect(new Set(sessions.map(({ amountCents }) => amountCents))).toEqual(new Set([1_190]));
    expect(new Set(sessions.map(({ taxCents }) => taxCents))).toEqual(new Set([190]));
    await expectSound(service);
  });

  test('a business elsewhere in the EU accounts for it, and the invoice says so in its language', async () => {
    const customer = await newCustomer(shop, projectId, {
      ...{ name: 'Entreprise', country: 'FR', isBusiness: true, language: 'fr' },
      taxIds: [{ type: 'eu_vat', value: 'FR40303265045' }],
    });
    const price = await added({ unitAmountCents: 1_000 });
    const session = await buy(price.id, { customerId: customer.id });
    expect(session).toMatchObject({ amountCents: 1_000, taxCents: 0 });
    const invoice = await readInvoice(shop, session.invoiceId);
    expect(invoice).toMatchObject({
      taxes: [{ taxRateId: null, category: 'AE', percent: 0, taxableCents: 1_000, taxCents: 0 }],
      taxNotes: ['Autoliquidation : la TVA est due par le preneur.'],
      buyer: { country: 'FR', isBusiness: true, taxIds: [{ type: 'eu_vat', value: 'FR40303265045' }] },
    });
    const text = (await pdfOf(invoice.id)).join('\n');
    expect(text).toContain('N° de TVA FR40303265045');
    expect(text).toContain('Autoliquidation');
    expect(text).toMatch(/Autoliquidation sur 10,00\s\$US 0,00\s\$US/);
  });

  test('an invoice keeps its rate, its seller and its buyer, whatever they become', async () => {
    const customer = await newCustomer(shop, projectId, { name: 'Ada', country: 'DE' });
    const { body: rate } = await shop.call('POST', '/api/v2/tax-rates', {
      ...{ projectId, name: 'Old', percent: 16, country: 'DE' },
    });
    const price = await added({ taxRateId: rate.id });
    const session = await buy(price.id, { customerId: customer.id });
    const before = await readInvoice(shop, session.invoiceId);
    await shop.call('PATCH', `/api/v2/tax-rates/${rate.id}`, { name: 'New', isActive: false });
    await shop.call('PATCH', `/api/v2/customers/${customer.id}`, { name: 'Eve', country: 'FR' });
    await shop.call('PATCH', `/api/v2/projects/${projectId}`, { seller: { ...SELLER, legalName: 'Other' } });
    expect(await readInvoice(shop, session.invoiceId)).toEqual(before);
    await shop.call('PATCH', `/api/v2/projects/${projectId}`, { seller: SELLER });
    // Earlier invoices keep their rate, seller and buyer.
    expect((await buy(price.id)).taxes).toMatchObject([{ percent: 16, name: 'New' }]);
  });

  test('without tax everything is as it was, with new fields that say nothing', async () => {
    const plain = (await newProject(shop)).id;
    const session = await newSession(shop, plain, { externalCustomerId: 'x' });
    expect(session).toMatchObject({ amountCents: 500, taxes: [], taxCents: 0 });
    expect(await readInvoice(shop, session.invoiceId)).toMatchObject({
      ...{ taxes: [], taxCents: 0, taxNotes: [], seller: null, buyer: null },
      lines: [{ tax: null, taxCents: 0 }],
    });
  });
});

describe('refusals', () => {
  test('400 for items with a wrong rate, and nothing is written', async () => {
    const { body: archived } = await shop.call('POST', '/api/v2/tax-rates', {
      ...{ projectId, name: 'x', percent: 1, country: 'DE' },
    });
    await shop.call('PATCH', `/api/v2/tax-rates/${archived.id}`, { isActive: false });
    const price = await added();
    const unknown = '019b76da-a800-7000-8000-000000000001';
    const item = { name: 'a', unitAmountCents: 1 };
    const taxed = { ...item, taxBehavior: 'exclusive' };
    const count = async () =>
      (await shop.call('GET', `/api/v2/invoices?projectId=${projectId}&limit=100`)).body.data.length;
    const before = await count();
    for (const [wrong, message] of [
      [{ ...taxed, taxRateId: unknown }, 'taxRateId must be the id of a tax rate of this project'],
      [{ ...taxed, taxRateId: archived.id }, 'taxRateId is archived'],
      [{ ...item, taxRateId: vat.id }, 'taxRateId requires taxBehavior inclusive or exclusive'],
      [{ priceId: price.id, taxBehavior: 'none' }, 'taxBehavior cannot be combined with priceId'],
      [{ priceId: price.id, taxRateId: null }, 'taxRateId cannot be combined with priceId'],
    ] as const) {
      const lineItems = [item, wrong];
      const { status, body } = await shop.call('POST', '/api/v2/checkout-sessions', {
        ...{ projectId, mode: 'one_time', lineItems },
      });
      expect([status, body.error.message]).toEqual([400, `lineItems.1.${message}`]);
    }
    expect(await count()).toBe(before);
    const plain = (await newProject(shop)).id;
    const { body } = await shop.call('POST', '/api/v2/checkout-sessions', {
      ...{ projectId: plain, mode: 'one_time', lineItems: [taxed] },
    });
    expect(body.error.message).toBe(
      'lineItems.0.taxRateId is required, because the project has no default tax rate',
    );
  });
});

describe('links', () => {
  test('a link says what a buyer will pay, and that is what they pay', async () => {
    const price = await added({ unitAmountCents: 1_000 });
    const { body: link } = await shop.call('POST', '/api/v2/payment-links', {
      ...{ projectId, priceId: price.id, allowPromotionCodes: true },
    });
    const path = `${service.url}/api/v2/payment-links/${link.publicToken}`;
    const shown = (await (await fetch(path)).json()) as Answer;
    expect(shown).toMatchObject({ unitAmountCents: 1_000, amountCents: 1_190, taxes: [{ taxCents: 190 }] });
    const response = await fetch(`${path}/checkout`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ idempotencyKey: 'once' }),
    });
    const started = (await response.json()) as Answer;
    expect([response.status, started]).toEqual([201, expect.anything()]);
    expect(await readSession(shop, started.sessionId)).toMatchObject({ amountCents: 1_190, taxCents: 190 });
  });
});
