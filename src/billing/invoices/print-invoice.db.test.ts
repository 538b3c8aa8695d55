import { beforeAll, describe, expect, test } from 'vitest';
import { newProject, newSession } from '../../../test/support/billing.ts';
import { readPdf, scanPdf } from '../../../test/support/read-pdf.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { printInvoice } from './print-invoice.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant('Кофейня «Утро»');
  projectId = (await newProject(shop, { settings: { invoicePrefix: 'RE-2026' } })).id;
});

describe('GET /api/v2/invoices/{invoiceId}/pdf', () => {
  test('200 with the invoice as real text, in any script', async () => {
    const session = await newSession(shop, projectId, {
      amountCents: 123456,
      customerName: '山田太郎 محمد',
      merchantReference: 'Bestellung 7',
    });
    const url = `${service.url}/api/v2/invoices/${session.invoiceId}/pdf`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${shop.key}` } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(response.headers.get('content-disposition')).toMatch(/^inline; filename="RE-2026-\d{6}\.pdf"$/);
    const text = JSON.stringify(await readPdf(new Uint8Array(await response.arrayBuffer())));
    for (const part of ['RE-2026-', '1,234.56', '山田太郎', 'محمد', 'Кофейня', 'Bestellung 7'])
      expect(text).toContain(part);
  });

  test('200 in the language that is requested, else in the customer’s, else in English', async () => {
    const session = await newSession(shop, projectId, {
      amountCents: 5000,
      merchantReference: 'Order 8',
      externalCustomerId: 'of /api/v2',
    });
    const read = async (query = '') => {
      const url = `${service.url}/api/v2/invoices/${session.invoiceId}/pdf${query}`;
      const response = await fetch(url, { headers: { authorization: `Bearer ${shop.key}` } });
      expect(response.status).toBe(200);
      return (await readPdf(await response.bytes())).join('\n').replaceAll('\u00a0', ' ');
    };
    expect(await read()).toContain('Invoice number');
    expect(await read()).toContain('Payment for Order 8 1 $50.00');
    expect(await read('?language=de')).toContain('Zahlung für Order 8 1 50,00 $');
    await shop.call('PATCH', `/api/v2/customers/${session.customerId}`, { language: 'es-MX' });
    expect(await read()).toContain('Número de factura');
    expect(await read('?language=en')).toContain('Invoice number');
    await shop.call('PATCH', `/api/v2/customers/${session.customerId}`, { language: 'nl' });
    expect(await read()).toContain('Invoice number');
  });

  test('400 for a language that papers are not written in', async () => {
    const session = await newSession(shop, projectId, { amountCents: 5000 });
    for (const language of ['nl', 'de-AT', 'EN', '', 'de&language=fr']) {
      const answer = await shop.call('GET', `/api/v2/invoices/${session.invoiceId}/pdf?language=${language}`);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'BAD_REQUEST']);
    }
  });

  test('200 with a code to scan as long as it can be paid', async () => {
    const session = await newSession(shop, projectId, { amountCents: 5000 });
    const bytesOf = async () => {
      const url = `${service.url}/api/v2/invoices/${session.invoiceId}/pdf`;
      const response = await fetch(url, { headers: { authorization: `Bearer ${shop.key}` } });
      return response.bytes();
    };
    const open = await bytesOf();
    expect(scanPdf(open)).toBe(session.checkoutUrl);
    expect((await readPdf(open)).join()).not.toContain('Pay to');
    const { status } = await shop.call('POST', `/api/v2/checkout-sessions/${session.id}/cancel`);
    expect(status).toBe(200);
    const canceled = await bytesOf();
    expect(scanPdf(canceled)).toBeUndefined();
    expect((await readPdf(canceled)).join()).not.toContain(session.checkoutUrl);
  });

  test('404 for what is not there, 401 without a key', async () => {
    const missing = await shop.call('GET', '/api/v2/invoices/019b76da-a800-7000-8000-000000000001/pdf');
    expect([missing.status, missing.body.error.code]).toEqual([404, 'NOT_FOUND']);
    const response = await fetch(`${service.url}/api/v2/invoices/019b76da-a800-7000-8000-000000000001/pdf`);
    expect(response.status).toBe(401);
  });
});

test('an invoice is rendered again only when it shows something else', async () => {
  const session = await newSession(shop, projectId, { amountCents: 5000, externalCustomerId: 'of twice' });
  const ref = { merchantId: shop.id, id: session.invoiceId };
  const print = async () => {
    const now = service.clock.now();
    return (await printInvoice(service.db, ref, { network: 'sandbox', now })).bytes;
  };
  const [first, beside] = await Promise.all([print(), print()]);
  // The same bytes in memory, and not only equal ones.
  expect(beside).toBe(first);
  expect(await print()).toBe(first);
  await shop.call('PATCH', `/api/v2/customers/${session.customerId}`, { name: 'Somebody else' });
  const changed = await print();
  expect(changed).not.toBe(first);
  expect((await readPdf(new Uint8Array(changed))).join()).toContain('Somebody else');
});
