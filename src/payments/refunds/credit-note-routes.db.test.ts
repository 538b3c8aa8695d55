import { beforeAll, describe, expect, test } from 'vitest';
import { expectSound, newProject, readInvoice } from '../../../test/support/billing.ts';
import { type TestChain, testChain } from '../../../test/support/chain.ts';
import { readPdf } from '../../../test/support/read-pdf.ts';
import { paidSession, refunded } from '../../../test/support/refund-journey.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
type Answer = any;

let t: TestChain;
let projectId: string;
let session: Answer;
let refund: Answer;
let overpaid: Answer;

beforeAll(async () => {
  t = await testChain();
  projectId = (await newProject(t.shop, { name: 'Кофейня' })).id;
  session = await paidSession(t, projectId, {
    amountCents: 1250,
    externalCustomerId: 'c-1',
    customerName: 'محمد <b>',
  });
  refund = await refunded(t, { invoiceId: session.invoiceId, amountCents: 500 });
  await paidSession(t, projectId, { amountCents: 700 }, 900);
  const { body } = await t.shop.call('GET', '/api/v2/exceptions');
  overpaid = await refunded(t, { exceptionId: body.data[0].id });
});

async function pdfOf(id: string): Promise<{ head: Headers; text: string[] }> {
  const url = `${t.service.url}/api/v2/credit-notes/${id}/pdf`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${t.shop.key}` } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const text = (await readPdf(new Uint8Array(await response.arrayBuffer()))).join('\n').split('\n');
  return { head: response.headers, text };
}

describe('/api/v2/credit-notes', () => {
  test('200 with what the refund was, exactly', async () => {
    const { status, body } = await t.shop.call('GET', `/api/v2/credit-notes/${refund.creditNoteId}`);
    expect([status, body]).toEqual([
      200,
      {
        id: refund.creditNoteId,
        number: 'CN-000001',
        refundId: refund.id,
        projectId,
        customerId: session.customerId,
        invoiceId: session.invoiceId,
        amountCents: 500,
        ...{ taxes: [], taxCents: 0, taxNotes: [], seller: null, buyer: null },
        currency: 'USD',
        createdAt: refund.succeededAt,
      },
    ]);
  });

  test('200 with the newest first, by each filter, and as CSV', async () => {
    const list = async (query: string) =>
      (await t.shop.call('GET', `/api/v2/credit-notes${query}`)).body.data.map((each: Answer) => each.id);
    expect(await list('')).toEqual([overpaid.creditNoteId, refund.creditNoteId]);
    expect(await list(`?projectId=${projectId}&limit=1`)).toEqual([overpaid.creditNoteId]);
    expect(await list(`?refundId=${overpaid.id}`)).toEqual([overpaid.creditNoteId]);
    expect(await list(`?invoiceId=${session.invoiceId}`)).toEqual([refund.creditNoteId]);
    expect(await list(`?customerId=${session.customerId}`)).toEqual([refund.creditNoteId]);
    const csv = await t.shop.call('GET', '/api/v2/credit-notes', undefined, { accept: 'text/csv' });
    expect(csv.text.trim().split('\r\n')).toHaveLength(3);
    expect(csv.text).toContain('CN-000002');
  });

  test('200 with a PDF that says what was refunded, to where and by which transaction', async () => {
    const { head, text } = await pdfOf(refund.creditNoteId);
    expect(head.get('content-disposition')).toBe('inline; filename="CN-000001.pdf"');
    const { number } = await readInvoice(t.shop, session.invoiceId);
    expect(text[0]).toBe('Credit note REFUNDED TEST Shop');
    for (const line of [
      'Number CN-000001',
      `Invoice corrected ${number}`,
      `Refund number ${refund.number}`,
      `Refund of invoice ${number} 1 $5.00 $5.00`,
      'Total refunded $5.00',
      `Sent to ${refund.address}`,
      `Transaction ${refund.txSignature}`,
      'CN-000001 1 / 1',
    ])
      expect(text).toContain(line);
    expect(text.join('\n')).toContain('محمد');
  });

  test('404 for what is not there and what is another merchant’s, 401 without a key', async () => {
    const other = await t.service.createMerchant('Other');
    for (const end of ['', '/pdf']) {
      const path = `/api/v2/credit-notes/${refund.creditNoteId}${end}`;
      expect((await other.call('GET', path)).body.error.code).toBe('NOT_FOUND');
      const missing = `/api/v2/credit-notes/019b76da-a800-7000-8000-000000000001${end}`;
      expect((await t.shop.call('GET', missing)).status).toBe(404);
      expect((await fetch(t.service.url + path)).status).toBe(401);
    }
    expect((await other.call('GET', '/api/v2/credit-notes')).body.data).toEqual([]);
  });
});

test('a returned overpayment is called one, and all the books agree', async () => {
  const { text } = await pdfOf(overpaid.creditNoteId);
  expect(text).toContain('Return of an overpayment 1 $2.00 $2.00');
  await expectSound(t.service);
});

test('refunds appear wherever volume does, and recurring revenue does not change', async () => {
  const { body: stats } = await t.shop.call('GET', '/api/b2b/merchants/stats');
  expect(stats).toMatchObject({ totalVolumeCents: 2150, totalRefundedCents: 700, netVolumeCents: 1450 });
  expect(stats.chartData.at(-1)).toMatchObject({ volumeCents: 2150, refundedCents: 700 });
  const overview = `/api/v2/billing/overview?projectId=${projectId}`;
  expect((await t.shop.call('GET', overview)).body).toMatchObject({
    monthlyRecurringCents: 0,
    paidThisMonthCents: 1950,
    refundedThisMonthCount: 2,
    refundedThisMonthCents: 700,
  });
  const csv = await t.shop.call('GET', '/api/v2/invoices', undefined, { accept: 'text/csv' });
  const [columns, ...rows] = csv.text
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  expect(columns).toContain('refundedCents');
  expect(rows).toHaveLength(2);
});

test('200 with the refund on the PDF of its invoice', async () => {
  const url = `${t.service.url}/api/v2/invoices/${session.invoiceId}/pdf`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${t.shop.key}` } });
  const text = (await readPdf(new Uint8Array(await response.arrayBuffer()))).join('\n');
  expect(text).toContain('Refunded -$5.00');
});
