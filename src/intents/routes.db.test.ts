import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { newProject, newSession } from '../../test/support/billing.ts';
import { csvRows } from '../../test/support/csv.ts';
import {
  call,
  moveTo,
  newAddress,
  PAYOUT,
  type TestMerchant,
  type TestService,
  testService,
} from '../../test/support/service.ts';
import { isSolanaAddress } from '../platform/lib/base58.ts';
import { addCalendarDays, dateAt, startOfDate } from '../platform/lib/local-days.ts';
import { centsToBaseUnits, MAX_INT64 } from '../platform/lib/money.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

const create = (body: unknown, headers = {}) => shop.call('POST', '/api/merchants/intents', body, headers);
const countIntents = async () => (await service.db.query('select from payment_intents')).length;

/** Settlement is not part of these tests; they need intents that are where it would have brought them. */
async function setStatus(id: string, status: string, receivedBaseUnits = 0n) {
  await service.db.query(
    `update payment_intents set status = $2, received_base_units = $3,
            succeeded_at = case when $2 = 'succeeded' then now() end where id = $1`,
    [id, status, receivedBaseUnits],
  );
}

describe('POST /api/merchants/intents', () => {
  test('200 with exactly the documented fields', async () => {
    const before = service.clock.now().getTime();
    const { status, body } = await create({ amountCents: 1250, orderId: 'order-1' });
    const after = service.clock.now().getTime();
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(
      [
        'id',
        'waivedCents',
        'orderId',
        'expectedAmountCents',
        'referenceAddress',
        'destinationAddress',
        'status',
        'expiresAt',
        'amountReceivedCents',
        'paidVia',
        'payerAddress',
        'metadata',
        'terminalId',
        'txSignature',
        'paymentUrl',
        'createdAt',
      ].sort(),
    );
    expect(body).toMatchObject({
      orderId: 'order-1',
      expectedAmountCents: 1250,
      destinationAddress: PAYOUT,
      status: 'pending',
      amountReceivedCents: 0,
    });
    expect(isSolanaAddress(body.referenceAddress)).toBe(true);
    const createdAt = new Date(body.expiresAt).getTime() - 30 * 60_000;
    expect([before, createdAt, after].toSorted((a, b) => a - b)).toEqual([before, createdAt, after]);
  });

  test.each(['9007199254740993', '9223372036854775807', '1'])(
    '200 keeps %s exact, in the answer and when read back',
    async (amount) => {
      const created = await create(`{"amountCents": ${amount}, "orderId": "exact"}`);
      expect(created.status).toBe(200);
      expect(created.text).toContain(`"expectedAmountCents":${amount},`);
      const read = await shop.call('GET', `/api/merchants/intents/${created.body.id}`);
      expect(read.text).toBe(created.text);
    },
  );

  test('200 with terminalId null, 128 characters of order, and any script', async () => {
    for (const orderId of ['x'.repeat(128), '😀'.repeat(128), 'Заказ №5', '注文 "7"', '‮rtl', "a'b;--"]) {
      const { status, body } = await create({ amountCents: 1, orderId, terminalId: null });
      expect(status).toBe(200);
      expect(body.orderId).toBe(orderId);
    }
  });

  test.each([
    ['amountCents', { orderId: 'a' }],
    ['amountCents', { amountCents: 0, orderId: 'a' }],
    ['amountCents', { amountCents: -1, orderId: 'a' }],
    ['amountCents', { amountCents: 1.5, orderId: 'a' }],
    ['amountCents', { amountCents: '5', orderId: 'a' }],
    ['amountCents', { amountCents: null, orderId: 'a' }],
    ['amountCents', { amountCents: true, orderId: 'a' }],
    ['amountCents', '{"amountCents": 9223372036854775808, "orderId": "a"}'],
    ['amountCents', '{"amountCents": 1e300, "orderId": "a"}'],
    ['orderId', { amountCents: 1 }],
    ['orderId', { amountCents: 1, orderId: '' }],
    ['orderId', { amountCents: 1, orderId: null }],
    ['orderId', { amountCents: 1, orderId: 5 }],
    ['orderId', { amountCents: 1, orderId: 'x'.repeat(129) }],
    ['orderId', { amountCents: 1, orderId: 'a\nb' }],
    ['orderId', { amountCents: 1, orderId: 'a\u007fb' }],
    ['terminalId', { amountCents: 1, orderId: 'a', terminalId: 'nope' }],
    ['terminalId', { amountCents: 1, orderId: 'a', terminalId: 7 }],
    ['terminalId', { amountCents: 1, orderId: 'a', terminalId: '019b76da-a800-7000-8000-000000000001' }],
    ['currency', { amountCents: 1, orderId: 'a', currency: 'USD' }],
    ['__proto__', '{"amountCents": 1, "orderId": "a", "__proto__": {}}'],
    ['body', '{"amountCents": 1, "amountCents": 2, "orderId": "a"}'],
    ['body', '{"amountCents": 1, "orderId": "\\u0000"}'],
    ['body', '{"amountCents": 1, "orderId": "\\ud800"}'],
    ['body', '{"amountCents": 1'],
    ['body', '[]'],
    ['body', '"x"'],
    ['body', 'null'],
    ['body', ''],
  ])('400 names %s first and writes nothing: %j', async (field, body) => {
    const before = await countIntents();
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('BAD_REQUEST');
    expect(answer.body.error.message.split(' ')[0]).toBe(field);
    expect(await countIntents()).toBe(before);
  });

  test('400 for bytes that are not UTF-8', async () => {
    const response = await fetch(`${service.url}/api/merchants/intents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json' },
      body: Buffer.from([...Buffer.from('{"amountCents":1,"orderId":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
    });
    expect(response.status).toBe(400);
  });

  test('400 for an Idempotency-Key that is no UUID', async () => {
    const answer = await create({ amountCents: 1, orderId: 'a' }, { 'idempotency-key': 'abc' });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(/^Idempotency-Key /);
  });

  test('409 ORDER_ALREADY_PAID once an intent of the order succeeded, on a terminal too', async () => {
    const { body } = await create({ amountCents: 5, orderId: 'paid-order' });
    expect((await create({ amountCents: 5, orderId: 'paid-order' })).status).toBe(200);
    await setStatus(body.id, 'succeeded', 50_000n);
    const again = await create({ amountCents: 5, orderId: 'paid-order' });
    expect([again.status, again.body.error.code]).toEqual([409, 'ORDER_ALREADY_PAID']);
    const terminal = await shop.call('POST', '/api/b2b/merchants/terminals', {});
    const there = await create({ amountCents: 5, orderId: 'paid-order', terminalId: terminal.body.id });
    expect([there.status, there.body.error.code]).toEqual([409, 'ORDER_ALREADY_PAID']);
  });

  test('409 INVALID_STATE without a payout address; it works once one is set', async () => {
    const bare = await service.createMerchant('Bare', null);
    const first = await bare.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'a' });
    expect([first.status, first.body.error.code]).toEqual([409, 'INVALID_STATE']);
    expect(
      (await bare.call('PATCH', '/api/b2b/merchants/payout-address', { payoutAddress: newAddress() })).status,
    ).toBe(200);
    expect((await bare.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'a' })).status).toBe(
      200,
    );
  });

  test('200 for every one of fifty first intents at once, at an address nobody has used before', async () => {
    const fresh = await service.createMerchant('Fresh');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        fresh.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: `f${i}` }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
  });

  test('a payout address changed behind this process’s back counts at once', async () => {
    const other = await service.createMerchant('Mover');
    await other.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'a' });
    const moved = newAddress();
    await moveTo(service.db, other.id, moved);
    const { body } = await other.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'b' });
    expect(body.destinationAddress).toBe(moved);
  });
});

describe('terminals show one intent at a time', () => {
  const newTerminal = async () =>
    (await shop.call('POST', '/api/b2b/merchants/terminals', { name: 'T' })).body.id;
  const read = async (id: string) => (await shop.call('GET', `/api/merchants/intents/${id}`)).body.status;

  test('a new intent cancels the unseen one and writes its event', async () => {
    const terminalId = await newTerminal();
    const first = await create({ amountCents: 1, orderId: 't1', terminalId });
    const second = await create({ amountCents: 1, orderId: 't2', terminalId });
    expect(second.status).toBe(200);
    expect(await read(first.body.id)).toBe('canceled');
    const events = await service.db.query(
      'select event, sequence, status, previous_status, body from events where object_id = $1',
      [first.body.id],
    );
    expect(events).toMatchObject([
      { event: 'payment_intent.updated', sequence: 1, status: 'canceled', previousStatus: 'pending' },
    ]);
  });

  test('409 TERMINAL_BUSY while one is processing, or underpaid before its expiry', async () => {
    const terminalId = await newTerminal();
    const { body } = await create({ amountCents: 2, orderId: 't3', terminalId });
    await setStatus(body.id, 'processing');
    expect((await create({ amountCents: 1, orderId: 't4', terminalId })).body.error.code).toBe(
      'TERMINAL_BUSY',
    );
    await setStatus(body.id, 'underpaid', 10_000n);
    expect((await create({ amountCents: 1, orderId: 't4', terminalId })).body.error.code).toBe(
      'TERMINAL_BUSY',
    );
    await service.db.query(
      `update payment_intents set created_at = now() - interval '2 h', expires_at = now() - interval '1 h' where id = $1`,
      [body.id],
    );
    expect((await create({ amountCents: 1, orderId: 't4', terminalId })).status).toBe(200);
    expect(await read(body.id)).toBe('underpaid');
  });

  test('409 TERMINAL_INACTIVE; switching off cancels the unseen intent, and on again it works', async () => {
    const terminalId = await newTerminal();
    const { body } = await create({ amountCents: 1, orderId: 't5', terminalId });
    const off = await shop.call('PATCH', `/api/b2b/merchants/terminals/${terminalId}`, { isActive: false });
    expect(off.body).toMatchObject({ id: terminalId, isActive: false });
    expect(await read(body.id)).toBe('canceled');
    expect((await create({ amountCents: 1, orderId: 't6', terminalId })).body.error.code).toBe(
      'TERMINAL_INACTIVE',
    );
    await shop.call('PATCH', `/api/b2b/merchants/terminals/${terminalId}`, { isActive: true });
    expect((await create({ amountCents: 1, orderId: 't6', terminalId })).status).toBe(200);
  });

  test('400 for another merchant’s terminal', async () => {
    const other = await service.createMerchant('Other');
    const theirs = await other.call('POST', '/api/b2b/merchants/terminals', {});
    const answer = await create({ amountCents: 1, orderId: 'x', terminalId: theirs.body.id });
    expect([answer.status, answer.body.error.message]).toEqual([
      400,
      'terminalId must be the id of one of your terminals',
    ]);
  });

  test('twenty at once leave exactly one open', async () => {
    const terminalId = await newTerminal();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => create({ amountCents: 1, orderId: `race-${i}`, terminalId })),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    const open = await service.db.query(
      `select from payment_intents where terminal_id = $1 and status = 'pending'`,
      [terminalId],
    );
    expect(open).toHaveLength(1);
  });

  test('a payout address changed behind this process’s back counts at once here too', async () => {
    const other = await service.createMerchant('Mover');
    const { body: terminal } = await other.call('POST', '/api/b2b/merchants/terminals', { name: 'T' });
    const moved = newAddress();
    await moveTo(service.db, other.id, moved);
    const order = { amountCents: 1, orderId: 'a', terminalId: terminal.id };
    const { body } = await other.call('POST', '/api/merchants/intents', order);
    expect(body.destinationAddress).toBe(moved);
  });

  test('the same Idempotency-Key on a terminal replays and cancels nothing', async () => {
    const terminalId = await newTerminal();
    const headers = { 'idempotency-key': randomUUID() };
    const first = await create({ amountCents: 1, orderId: 't7', terminalId }, headers);
    const again = await create({ amountCents: 1, orderId: 't7', terminalId }, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await read(first.body.id)).toBe('pending');
  });
});

describe('GET /api/merchants/intents/{intentId}', () => {
  test('200 in either case of the id; 404 for unknown, malformed and foreign ids, all alike', async () => {
    const { body, text } = await create({ amountCents: 3, orderId: 'r' });
    expect((await shop.call('GET', `/api/merchants/intents/${body.id.toUpperCase()}`)).text).toBe(text);
    const other = await service.createMerchant('Other');
    const answers = await Promise.all([
      other.call('GET', `/api/merchants/intents/${body.id}`),
      shop.call('GET', `/api/merchants/intents/${randomUUID()}`),
      shop.call('GET', '/api/merchants/intents/nonsense'),
      shop.call('GET', '/api/merchants/intents/%00'),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.text.replace(answer.body.error.traceId, '')).toBe(
        answers[0]!.text.replace(answers[0]!.body.error.traceId, ''),
      );
    }
  });
});

describe('GET /api/merchants/intents', () => {
  test('200 pages newest first, exact while rows are added, and filters', async () => {
    const merchant = await service.createMerchant('Lists');
    const make = (orderId: string) =>
      merchant.call('POST', '/api/merchants/intents', { amountCents: 1, orderId });
    for (let i = 0; i < 7; i++) await make(`o${i}`);
    const seen: string[] = [];
    let cursor = '';
    for (let page = 0; page < 3; page++) {
      const { body } = await merchant.call('GET', `/api/merchants/intents?limit=3${cursor}`);
      seen.push(...body.data.map((intent: { orderId: string }) => intent.orderId));
      expect(body.hasMore).toBe(page < 2);
      cursor = `&cursor=${body.nextCursor}`;
      await make(`late${page}`);
    }
    expect(seen).toEqual(['o6', 'o5', 'o4', 'o3', 'o2', 'o1', 'o0']);
    const ids = async (query: string) =>
      (await merchant.call('GET', `/api/merchants/intents?${query}`)).body.data.map(
        (intent: { orderId: string }) => intent.orderId,
      );
    expect(await ids('orderId=o3')).toEqual(['o3']);
    expect(await ids('status=expired')).toEqual([]);
    expect(await ids('status=expired&status=pending&limit=1')).toEqual(['late2']);
    expect(await ids(`terminalId=${randomUUID()}`)).toEqual([]);
    expect(await ids('createdTo=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await ids('createdFrom=2100-01-01T00:00:00Z')).toEqual([]);
    expect((await ids('createdFrom=2020-01-01T00:00:00Z')).length).toBe(10);
  });

  test.each([
    'limit=0',
    'limit=101',
    'limit=abc',
    'limit=1e1',
    'limit=',
    'limit=1&limit=2',
    'cursor=xyz',
    'cursor=',
    'status=done',
    'foo=1',
    'createdFrom=yesterday',
    'createdFrom=2026-02-30T00:00:00Z',
    'succeededFrom=today',
    'projectId=5',
    'terminalId=5',
    '%ff=1',
    'orderId=%00',
    'orderId=',
    '__proto__=1',
  ])('400 for ?%s', async (query) => {
    const answer = await shop.call('GET', `/api/merchants/intents?${query}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'BAD_REQUEST']);
  });

  test('200 as text/csv streams every row, and no cell becomes a formula', async () => {
    const merchant = await service.createMerchant('CSV');
    for (const orderId of ['=1+1', 'a,"b"', '@x', '-5', 'plain']) {
      await merchant.call('POST', '/api/merchants/intents', { amountCents: 7, orderId });
    }
    const { text, headers } = await merchant.call('GET', '/api/merchants/intents?limit=2', undefined, {
      accept: 'text/csv',
    });
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe(
      'createdAt,createdDate,customer.name,customer.email,orderId,expectedAmountUsd,expectedAmountCents,referenceAddress,destinationAddress,status,expiresAt,expiresDate,amountReceivedUsd,amountReceivedCents,paidVia,payerAddress,txSignature,paymentUrl,waivedUsd,waivedCents,currency,metadata,id,terminalId',
    );
    expect(lines.slice(1).map((line) => line.split(',,,')[1]!.replace(/,0.07,7,.*/, ''))).toEqual([
      'plain',
      "'-5",
      "'@x",
      '"a,""b"""',
      "'=1+1",
    ]);
  });
});

test('200 as text/csv says who pays, to a key that can read billing', async () => {
  const merchant = await service.createMerchant('Who');
  const project = await newProject(merchant);
  await newSession(merchant, project.id, { customerName: 'Ada', customerEmail: 'ada@shop.example' });
  const read = async (key: string) => {
    const headers = { accept: 'text/csv', authorization: `Bearer ${key}` };
    return csvRows((await call(`${service.url}/api/merchants/intents`, 'GET', undefined, headers)).text);
  };
  const customer = { 'customer.name': 'Ada', 'customer.email': 'ada@shop.example' };
  expect(await read(merchant.key)).toMatchObject([customer]);
  const [row] = await read(await merchant.keyWith(['payments:read']));
  expect(Object.keys(row!).filter((title) => title.startsWith('customer'))).toEqual([]);
});

describe('POST /api/merchants/intents/{intentId}/cancel', () => {
  const cancel = (id: string, headers = {}) =>
    shop.call('POST', `/api/merchants/intents/${id}/cancel`, undefined, headers);

  test('200 while nothing was paid; 409 INVALID_STATE afterwards', async () => {
    const { body } = await create({ amountCents: 3, orderId: 'c' });
    const answer = await cancel(body.id);
    expect(answer.status).toBe(200);
    expect(answer.body.status).toBe('canceled');
    const again = await cancel(body.id);
    expect([again.status, again.body.error.code]).toEqual([409, 'INVALID_STATE']);
    const events = await service.db.query('select from events where object_id = $1', [body.id]);
    expect(events).toHaveLength(1);
  });

  test('200 again with the same Idempotency-Key: same bytes, one event', async () => {
    const { body } = await create({ amountCents: 3, orderId: 'c' });
    const first = await cancel(body.id, { 'idempotency-key': 'once' });
    const second = await cancel(body.id, { 'idempotency-key': 'once' });
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect(await service.db.query('select from events where object_id = $1', [body.id])).toHaveLength(1);
  });

  test.each(['processing', 'underpaid', 'succeeded', 'expired'])('409 when it is %s', async (status) => {
    const { body } = await create({ amountCents: 3, orderId: `c-${status}` });
    await setStatus(body.id, status, { underpaid: 10_000n, succeeded: 30_000n }[status] ?? 0n);
    expect((await cancel(body.id)).body.error.code).toBe('INVALID_STATE');
  });

  test('404 for unknown and foreign; 400 for a body it does not take', async () => {
    expect((await cancel(randomUUID())).status).toBe(404);
    const other = await service.createMerchant('Other');
    const theirs = await other.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'x' });
    expect((await cancel(theirs.body.id)).status).toBe(404);
    const answer = await shop.call('POST', `/api/merchants/intents/${theirs.body.id}/cancel`, {
      reason: 'x',
    });
    expect([answer.status, answer.body.error.message]).toEqual([400, 'reason is not a known property']);
  });
});

describe('GET /api/b2b/merchants/stats', () => {
  test('200 with 31 days that add up, transactions by creation and volume by success', async () => {
    const merchant = await service.createMerchant('Stats');
    const made = await Promise.all(
      [100, 250, 999].map((amountCents) =>
        merchant.call('POST', '/api/merchants/intents', { amountCents, orderId: `s${amountCents}` }),
      ),
    );
    await setStatus(made[0]!.body.id, 'succeeded', 1_000_000n);
    await setStatus(made[1]!.body.id, 'succeeded', 2_509_999n);
    await service.db.query(
      `update payment_intents set succeeded_at = succeeded_at - interval '3 days' where id = $1`,
      [made[1]!.body.id],
    );
    await service.db.query(
      `insert into payment_intents (merchant_id, id, order_id, expected_amount_cents, received_base_units, reference_address, destination_address, status, created_at, expires_at, succeeded_at)
      values ($1, gen_random_uuid(), 'old', 5, 50000, 'old', 'old', 'succeeded', now() - interval '40 days', now(), now() - interval '40 days')`,
      [merchant.id],
    );
    const { status, body } = await merchant.call('GET', '/api/b2b/merchants/stats');
    expect(status).toBe(200);
    expect(body.chartData).toHaveLength(31);
    const today = new Date(Math.floor(service.clock.now().getTime() / 86_400_000) * 86_400_000);
    expect(body.chartData.at(-1)).toEqual({
      date: today.toISOString(),
      volumeCents: 100,
      refundedCents: 0,
      transactions: 3,
    });
    expect(body.chartData.at(-4)).toMatchObject({ volumeCents: 250, transactions: 0 });
    expect(body).toMatchObject({ totalVolumeCents: 350, totalTransactions: 3, successfulTransactions: 2 });
    const timeZone = 'Asia/Kathmandu';
    await merchant.call('PATCH', '/api/b2b/merchants/me', { timeZone });
    const { chartData } = (await merchant.call('GET', '/api/b2b/merchants/stats')).body;
    const local = dateAt(service.clock.now(), timeZone);
    expect(chartData.at(-1).date).toBe(`${local}T00:00:00.000Z`);
    expect(chartData[0].date).toBe(`${addCalendarDays(local, -30)}T00:00:00.000Z`);
    await service.db.query('update payment_intents set succeeded_at = $2 where id = $1', [
      made[1]!.body.id,
      startOfDate(addCalendarDays(local, -3), timeZone),
    ]);
    const moved = (await merchant.call('GET', '/api/b2b/merchants/stats')).body;
    expect(moved.chartData.at(-4)).toMatchObject({ volumeCents: 250 });
  });

  test('200 saturates at int64 instead of failing', async () => {
    const merchant = await service.createMerchant('Whale');
    for (let i = 0; i < 2; i++) {
      const { body } = await merchant.call(
        'POST',
        '/api/merchants/intents',
        `{"amountCents": 9223372036854775807, "orderId": "w${i}"}`,
      );
      await setStatus(body.id, 'succeeded', centsToBaseUnits(MAX_INT64));
    }
    const { text } = await merchant.call('GET', '/api/b2b/merchants/stats');
    expect(text).toContain('"totalVolumeCents":9223372036854775807,');
  });
});

describe('PATCH /api/b2b/merchants/terminals/{terminalId}', () => {
  test('200 renames, clears with null, and {} changes nothing; 404 and 400 change nothing', async () => {
    const { body } = await shop.call('POST', '/api/b2b/merchants/terminals', { name: 'Counter' });
    const path = `/api/b2b/merchants/terminals/${body.id}`;
    expect((await shop.call('PATCH', path, { name: 'Bar' })).body.name).toBe('Bar');
    expect((await shop.call('PATCH', path, {})).body).toEqual({ ...body, name: 'Bar' });
    expect((await shop.call('PATCH', path, { name: null })).body.name).toBeNull();
    expect((await shop.call('PATCH', path, { name: 'x'.repeat(129) })).status).toBe(400);
    expect((await shop.call('PATCH', path, { isActive: 'no' })).status).toBe(400);
    expect((await shop.call('PATCH', path, { createdAt: 'now' })).status).toBe(400);
    expect((await shop.call('PATCH', `/api/b2b/merchants/terminals/${randomUUID()}`, {})).status).toBe(404);
    const anonymous = await call(service.url + path, 'PATCH', { name: 'Mallory' });
    expect(anonymous.status).toBe(401);
    expect(
      (await shop.call('GET', '/api/b2b/merchants/terminals')).body.find(
        (t: { id: string }) => t.id === body.id,
      ),
    ).toEqual({ ...body, name: null });
  });
});
