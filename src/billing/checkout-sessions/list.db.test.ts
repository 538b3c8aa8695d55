import { beforeAll, describe, expect, test } from 'vitest';
import { newLink, newProject, newSession, newTopUp, referenceOf } from '../../../test/support/billing.ts';
import { csvRows } from '../../../test/support/csv.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { arrive } from '../../../test/support/transfers.ts';
import { newId } from '../../platform/lib/ids.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

describe('GET /api/v2/checkout-sessions', () => {
  const list = (query = '', headers = {}) =>
    shop.call('GET', `/api/v2/checkout-sessions${query}`, undefined, headers);
  const ids = async (query: string) =>
    (await list(query)).body.data.map((session: { id: string }) => session.id);

  test('200: each filter alone, filters together, and none', async () => {
    const place = (await newProject(shop)).id;
    const price = await newTopUp(shop, place);
    const { paymentLink } = await newLink(shop, place);
    const plain = await newSession(shop, place, { merchantReference: 'ref' });
    const topUp = await newSession(shop, place, {
      mode: 'balance_top_up',
      priceId: price.id,
      externalCustomerId: 'ext/api/v2',
    });
    const viaLink = await call(
      `${service.url}/api/v2/payment-links/${paymentLink.publicToken}/checkout`,
      'POST',
      { clientReferenceId: 'cart-1' },
    );
    const linked = viaLink.body.sessionId;
    const canceled = await newSession(shop, place);
    await shop.call('POST', `/api/v2/checkout-sessions/${canceled.id}/cancel`);
    const part = await newSession(shop, place);
    await arrive(service, shop.id, { references: [await referenceOf(shop, part)], baseUnits: 10_000n });
    const within = `projectId=${place}`;
    for (const [query, expected] of [
      ['', [part.id, canceled.id, linked, topUp.id, plain.id]],
      ['&status=canceled', [canceled.id]],
      ['&status=canceled&status=open', [part.id, canceled.id, linked, topUp.id, plain.id]],
      ['&status=complete', []],
      ['&paymentStatus=underpaid', [part.id]],
      ['&paymentStatus=underpaid&paymentStatus=unpaid&status=open', [part.id, linked, topUp.id, plain.id]],
      ['&mode=balance_top_up', [topUp.id]],
      [`&customerId=${topUp.customerId}`, [topUp.id]],
      [`&externalCustomerId=${encodeURIComponent('ext/api/v2')}`, [topUp.id]],
      [`&paymentLinkId=${paymentLink.id}`, [linked]],
      ['&merchantReference=ref', [plain.id]],
      ['&clientReferenceId=cart-1', [linked]],
      [`&createdFrom=${canceled.createdAt}`, [part.id, canceled.id]],
      [`&createdTo=${topUp.createdAt}`, [plain.id]],
      [`&customerId=${newId(service.clock.now())}`, []],
    ] as [string, string[]][]) {
      expect([query, await ids(`?${within}${query}`)]).toEqual([query, expected]);
    }
    expect(await ids(`?projectId=${newId(service.clock.now())}`)).toEqual([]);
  });

  test('400, the parameter first, for what it does not know', async () => {
    for (const [query, field] of [
      ['?status=paid', 'status'],
      ['?paymentStatus=open', 'paymentStatus'],
      ['?mode=gift', 'mode'],
      ['?projectId=x', 'projectId'],
      ['?customerId=1', 'customerId'],
      ['?limit=0', 'limit'],
      ['?limit=101', 'limit'],
      ['?cursor=x', 'cursor'],
      ['?createdFrom=today', 'createdFrom'],
      ['?offset=2', 'offset'],
    ] as const) {
      const { status, body } = await list(query);
      expect([query, status, body.error.message.split(/[ .]/)[0]]).toEqual([query, 400, field]);
    }
  });

  test('pages neither miss nor repeat a row while others are inserted', async () => {
    const place = (await newProject(shop)).id;
    const made: string[] = [];
    for (let n = 0; n < 11; n++) made.unshift((await newSession(shop, place)).id);
    const seen: string[] = [];
    for (let query = `?projectId=${place}&limit=3`; ; ) {
      const { body } = await list(query);
      seen.push(...body.data.map((session: { id: string }) => session.id));
      await newSession(shop, place);
      expect(body.hasMore).toBe(body.nextCursor !== null);
      if (!body.hasMore) break;
      query = `?projectId=${place}&limit=3&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual(made);
  });

  test('CSV holds every matching row; a cell that begins like a formula is disarmed', async () => {
    const place = (await newProject(shop)).id;
    const session = await newSession(shop, place, { merchantReference: '=cmd|1,2' });
    const other = await newSession(shop, place, { customerName: '@x' });
    const answer = await list(`?projectId=${place}&limit=1`, { accept: 'text/csv' });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const rows = csvRows(answer.text);
    expect(rows).toMatchObject([
      { id: other.id, 'customer.name': "'@x", customerName: "'@x" },
      { id: session.id, 'customer.name': '', merchantReference: "'=cmd|1,2" },
    ]);
    expect(rows).toHaveLength(2);
  });

  test('401 without a key, 403 without billing:read', async () => {
    const url = `${service.url}/api/v2/checkout-sessions`;
    expect((await call(url, 'GET')).status).toBe(401);
    const key = await shop.keyWith(['billing:write', 'payments:read', 'payments:write']);
    expect((await call(url, 'GET', undefined, { authorization: `Bearer ${key}` })).status).toBe(403);
  });

  test('404 for one that is not there', async () => {
    for (const id of [newId(service.clock.now()), 'none']) {
      expect((await shop.call('GET', `/api/v2/checkout-sessions/${id}`)).status).toBe(404);
    }
  });
});
