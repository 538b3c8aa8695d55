import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, type TestMerchant, type TestService, testService } from '../../test/support/service.ts';
import { dispatchAll, EVERYTHING, emitEvents, setUrl } from '../../test/support/webhooks.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { recordResults } from './record-results.ts';

let service: TestService;
let shop: TestMerchant;
let ids: string[];

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  await setUrl(service.db, shop.id, 'https://shop.example/hook');
  await emitEvents(
    service.db,
    shop.id,
    Array.from({ length: 5 }, () => randomUUID()),
  );
  await dispatchAll(service.db);
  const now = new Date(Date.now() + 1_000);
  const claims = await claimDeliveries(service.db, { ...EVERYTHING, usual: 3 }, now);
  const outcome = {
    startedAt: now,
    durationMs: 12,
    httpStatus: 200,
    error: null,
    responseBody: '=1+1',
    retryAfterMs: null,
  };
  const failed = { ...outcome, httpStatus: 500, error: 'HTTP 500' };
  const gone = { ...outcome, httpStatus: 410, error: 'HTTP 410' };
  const results = [outcome, failed, gone].map((one, i) => ({ claim: claims[i]!, outcome: one }));
  await recordResults(service.db, results, now);
  ids = claims.map((claim) => claim.id);
});

/** One implementation, mounted twice: everything is asked of both. */
describe('/api/v2/webhook-deliveries', () => {
  const path = '/api/v2/webhook-deliveries';

  test('200 list, newest first, with exactly the documented fields', async () => {
    const { status, body } = await shop.call('GET', path);
    expect([status, body.data.length >= 5]).toEqual([200, true]);
    const sorted = body.data.map((one: { id: string }) => one.id);
    expect(sorted).toEqual(sorted.toSorted().toReversed());
    expect(Object.keys(body.data[0])).toEqual([
      'id',
      'eventId',
      'event',
      'status',
      'url',
      'attempts',
      'httpStatus',
      'error',
      'durationMs',
      'requestBody',
      'responseBody',
      'nextAttemptAt',
      'resendOf',
      'createdAt',
      'deliveredAt',
      'endpointId',
    ]);
  });

  test('200 by page, by status, by event, by time', async () => {
    const first = await shop.call(
      'GET',
      `${path}?limit=2&status=pending&status=succeeded&status=retrying&status=failed`,
    );
    expect([first.body.data.length, first.body.hasMore]).toEqual([2, true]);
    const second = await shop.call('GET', `${path}?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body.data[0].id < first.body.data[1].id).toBe(true);
    for (const status of ['succeeded', 'retrying', 'failed']) {
      const { body } = await shop.call('GET', `${path}?status=${status}`);
      expect(body.data.map((one: { status: string }) => one.status)).toEqual([status]);
    }
    const trouble = await shop.call('GET', `${path}?status=retrying&status=failed`);
    expect(trouble.body.data).toHaveLength(2);
    const named = (name: string) => shop.call('GET', `${path}?event=${name}`);
    expect((await named('payment_intent.succeeded')).body.data.length).toBeGreaterThanOrEqual(5);
    expect((await named('invoice.paid')).body).toEqual({ data: [], hasMore: false, nextCursor: null });
    expect((await shop.call('GET', `${path}?createdTo=2020-01-01T00:00:00Z`)).body.data).toEqual([]);
    expect(
      (await shop.call('GET', `${path}?createdFrom=2020-01-01T00:00:00Z`)).body.data.length,
    ).toBeGreaterThan(4);
  });

  test('200 as CSV, with formulas defused', async () => {
    const answer = await shop.call('GET', `${path}?status=succeeded`, undefined, { accept: 'text/csv' });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = answer.text.trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^createdAt,createdDate,event,status,/);
    expect(lines[1]).toContain(`'=1+1`);
  });

  test('400 for what the list does not know', async () => {
    for (const query of [
      'status=done',
      'limit=0',
      'limit=101',
      'cursor=x',
      'colour=red',
      'event=',
      'createdFrom=now',
    ])
      expect([query, (await shop.call('GET', `${path}?${query}`)).status]).toEqual([query, 400]);
  });

  test('200 one delivery, its attempts and exact bytes', async () => {
    const { status, body } = await shop.call('GET', `${path}/${ids[0]!.toUpperCase()}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: ids[0],
      status: 'succeeded',
      url: 'https://shop.example/hook',
      httpStatus: 200,
      error: null,
      durationMs: 12,
      responseBody: '=1+1',
      nextAttemptAt: null,
      resendOf: null,
    });
    expect(body.attempts).toEqual([
      { number: 1, startedAt: body.attempts[0].startedAt, durationMs: 12, httpStatus: 200, error: null },
    ]);
    expect(body.requestBody).toContain('"amountCents":9223372036854775807');
    const [event] = await service.db.query<{ body: string }>('select body from events where id = $1', [
      body.eventId,
    ]);
    expect(body.requestBody).toBe(event!.body);
  });

  test('404 for one that never was, is another’s or is no id', async () => {
    const other = await service.createMerchant();
    expect((await other.call('GET', `${path}/${ids[0]}`)).status).toBe(404);
    for (const id of [randomUUID(), 'none']) {
      expect((await shop.call('GET', `${path}/${id}`)).status).toBe(404);
      expect((await shop.call('POST', `${path}/${id}/resend`)).status).toBe(404);
    }
    expect((await other.call('POST', `${path}/${ids[0]}/resend`)).status).toBe(404);
  });

  test('202 resend: the same event and bytes, a delivery of its own', async () => {
    const before = (await shop.call('GET', `${path}/${ids[2]}`)).body;
    for (const body of [undefined, {}]) {
      const answer = await shop.call('POST', `${path}/${ids[2]}/resend`, body);
      expect(answer.status).toBe(202);
      expect(answer.body).toMatchObject({
        eventId: before.eventId,
        event: before.event,
        requestBody: before.requestBody,
        resendOf: ids[2],
        status: 'pending',
        attempts: [],
        httpStatus: null,
        deliveredAt: null,
      });
      expect(answer.body.id).not.toBe(before.id);
      expect(answer.body.nextAttemptAt).toBe(answer.body.createdAt);
      expect((await shop.call('GET', `${path}/${answer.body.id}`)).text).toBe(answer.text);
    }
    expect((await shop.call('GET', `${path}/${ids[2]}`)).body).toEqual(before);
  });

  test('202 again with the same Idempotency-Key: the same bytes, one delivery', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(
      [1, 2, 3].map(() => shop.call('POST', `${path}/${ids[0]}/resend`, {}, headers)),
    );
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.map((answer) => answer.status)).toEqual([202, 202, 202]);
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true')).toHaveLength(2);
    const elsewhere = await shop.call('POST', `${path}/${ids[1]}/resend`, {}, headers);
    expect(elsewhere.body.resendOf).toBe(ids[1]);
  });

  test('400 for a body with anything in it, or an Idempotency-Key that is none', async () => {
    expect((await shop.call('POST', `${path}/${ids[0]}/resend`, { url: 'x' })).body.error.message).toMatch(
      /^url /,
    );
    expect((await shop.call('POST', `${path}/${ids[0]}/resend`, [])).status).toBe(400);
    const answer = await shop.call(
      'POST',
      `${path}/${ids[0]}/resend`,
      {},
      { 'idempotency-key': 'x'.repeat(256) },
    );
    expect(answer.status).toBe(400);
  });

  test('401 without a key; 403 without the scope', async () => {
    for (const [method, at] of [
      ['GET', path],
      ['GET', `${path}/${ids[0]}`],
      ['POST', `${path}/${ids[0]}/resend`],
    ]) {
      expect((await call(service.url + at!, method!)).status).toBe(401);
      const key = await shop.keyWith(['payments:read', 'payments:write']);
      const answer = await call(service.url + at!, method!, undefined, { authorization: `Bearer ${key}` });
      expect([answer.status, answer.body.error.code]).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
  });

  test('409 WEBHOOK_NOT_CONFIGURED without a URL, 409 DELIVERY_PRUNED without its event; nothing is made', async () => {
    const other = await service.createMerchant();
    await setUrl(service.db, other.id, 'https://other.example/');
    await emitEvents(service.db, other.id);
    await dispatchAll(service.db);
    const { id } = (await other.call('GET', path)).body.data[0];
    await setUrl(service.db, other.id, null);
    const headers = { 'idempotency-key': 'k' };
    const unset = await other.call('POST', `${path}/${id}/resend`, {}, headers);
    expect([unset.status, unset.body.error.code]).toEqual([409, 'WEBHOOK_NOT_CONFIGURED']);
    await setUrl(service.db, other.id, 'https://other.example/');
    await service.db.query('delete from events where merchant_id = $1', [other.id]);
    const pruned = await other.call('POST', `${path}/${id}/resend`, {}, headers);
    expect([pruned.status, pruned.body.error.code]).toEqual([409, 'DELIVERY_PRUNED']);
    expect((await other.call('GET', `${path}/${id}`)).body.requestBody).toBeNull();
    expect((await other.call('GET', path)).body.data).toHaveLength(1);
  });
});

test('both versions share an Idempotency-Key', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const v2 = await shop.call('POST', `/api/v2/webhook-deliveries/${ids[0]}/resend`, {}, headers);
  const v1 = await shop.call(
    'POST',
    `/api/webhook-deliveries/${ids[0]!.toUpperCase()}/resend`,
    undefined,
    headers,
  );
  expect([v1.text, v1.headers.get('idempotent-replayed')]).toEqual([v2.text, 'true']);
});
