import { beforeAll, describe, expect, test } from 'vitest';
import { newProject, newSession } from '../../../test/support/billing.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant('Кофейня «Утро»');
  projectId = (await newProject(shop, { settings: { invoicePrefix: 'RE-2026' } })).id;
});

describe.each(['/api/v2', '/api'])('GET %s/invoices/{invoiceId}/pdf', (mount) => {
  test('200 with the invoice as real text, in any script', async () => {
    const session = await newSession(shop, projectId, {
      amountCents: 123456,
      customerName: '山田太郎 محمد',
      merchantReference: 'Bestellung 7',
    });
    const url = `${service.url}${mount}/invoices/${session.invoiceId}/pdf`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${shop.key}` } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(response.headers.get('content-disposition')).toMatch(/^inline; filename="RE-2026-\d{6}\.pdf"$/);
    const text = JSON.stringify(await readPdf(new Uint8Array(await response.arrayBuffer())));
    for (const part of ['RE-2026-', '1,234.56', '山田太郎', 'محمد', 'Кофейня', 'Bestellung 7'])
      expect(text).toContain(part);
  });

  test('404 for what is not there, 401 without a key', async () => {
    const missing = await shop.call('GET', `${mount}/invoices/019b76da-a800-7000-8000-000000000001/pdf`);
    expect([missing.status, missing.body.error.code]).toEqual([404, 'NOT_FOUND']);
    const response = await fetch(`${service.url}${mount}/invoices/019b76da-a800-7000-8000-000000000001/pdf`);
    expect(response.status).toBe(401);
  });
});
