import { beforeAll, expect, test } from 'vitest';
import { newProject, newSession } from '../../../test/support/billing.ts';
import { type TestMerchant, testService } from '../../../test/support/service.ts';

let shop: TestMerchant;
let projectId: string;
/** Oldest first: open and canceled in turn, and a few of another project at the end. */
const made: { id: string; invoiceId: string; status: string }[] = [];
let elsewhere: { id: string; invoiceId: string };

beforeAll(async () => {
  const service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
  for (let i = 0; i < 9; i++) {
    const { id, invoiceId } = await newSession(shop, projectId);
    if (i % 2) await shop.call('POST', `/api/v2/checkout-sessions/${id}/cancel`);
    made.push({ id, invoiceId, status: i % 2 ? 'canceled' : 'open' });
  }
  elsewhere = await newSession(shop, (await newProject(shop)).id);
});

/** Every id of a list, read page by page. */
async function list(path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const { status, body } = await shop.call('GET', `/api/v2${path}&limit=2${cursor}`);
    expect(status).toBe(200);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.hasMore) return ids;
    cursor = `&cursor=${body.nextCursor}`;
  }
}

const newestFirst = (status?: string) =>
  made
    .filter((one) => status === undefined || one.status === status)
    .reverse()
    .map(({ id }) => id);

test('sessions of one status, of several, and of one project: newest first, page by page', async () => {
  const path = `/checkout-sessions?projectId=${projectId}`;
  expect(await list(`${path}&status=canceled`)).toEqual(newestFirst('canceled'));
  expect(await list(`${path}&status=open&status=canceled`)).toEqual(newestFirst());
  expect(await list(`${path}&status=complete&status=open`)).toEqual(newestFirst('open'));
  expect(await list('/checkout-sessions?status=open')).toEqual([elsewhere.id, ...newestFirst('open')]);
  expect(await list('/checkout-sessions?status=expired')).toEqual([]);
});

test('sessions by what was paid so far, alone and together with a status', async () => {
  const path = `/checkout-sessions?projectId=${projectId}`;
  expect(await list(`${path}&paymentStatus=processing&paymentStatus=underpaid`)).toEqual([]);
  expect(await list(`${path}&paymentStatus=unpaid&paymentStatus=processing`)).toEqual(newestFirst());
  expect(await list(`${path}&paymentStatus=unpaid&status=open`)).toEqual(newestFirst('open'));
  expect(await list(`${path}&paymentStatus=paid&status=open`)).toEqual([]);
});

test('their invoices by status', async () => {
  const invoicesOf = (status: string) =>
    made
      .filter((one) => one.status === status)
      .reverse()
      .map(({ invoiceId }) => invoiceId);
  const path = `/invoices?projectId=${projectId}`;
  expect(await list(`${path}&status=void`)).toEqual(invoicesOf('canceled'));
  expect(await list(`${path}&status=open&status=paid`)).toEqual(invoicesOf('open'));
  expect(await list('/invoices?status=open')).toEqual([elsewhere.invoiceId, ...invoicesOf('open')]);
});
