import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectSameRows } from '../../../test/support/csv.ts';
import {
  call,
  moveTo,
  newAddress,
  shareAddress,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import { arrive, MINT } from '../../../test/support/transfers.ts';
import { intentInvariants } from '../../intents/invariants.ts';
import { SCOPES } from '../../platform/access/key.ts';
import { checkInvariants } from '../../platform/db/invariant.ts';
import { settlementInvariants } from './invariants.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
});

/** Each test has a merchant of its own, and so a list of its own. */
beforeEach(async () => {
  shop = await service.createMerchant();
});

const LIST = '/api/v2/exceptions';
const newIntent = async (amountCents = 100, orderId: string = randomUUID()) =>
  (await shop.call('POST', '/api/merchants/intents', { amountCents, orderId })).body;
const readIntent = async (id: string) => (await shop.call('GET', `/api/merchants/intents/${id}`)).body;
const list = async (query = '') => (await shop.call('GET', LIST + query)).body;
/** Money that names nobody. */
const unmatched = async (baseUnits = 1_000_000n) => {
  const signature = await arrive(service, shop.id, { baseUnits });
  return (await list()).data.find((item: { txSignature: string }) => item.txSignature === signature);
};
const link = (id: string, paymentIntentId: unknown, headers?: Record<string, string>) =>
  shop.call('POST', `${LIST}/${id}/link`, { paymentIntentId }, headers);
const markReturned = (id: string, body?: unknown, headers?: Record<string, string>) =>
  shop.call('POST', `${LIST}/${id}/mark-returned`, body, headers);
const codeOf = (answer: { status: number; body: { error: { code: string } } }) => [
  answer.status,
  answer.body.error.code,
];

describe('GET /api/merchants/intents/{intentId}/history', () => {
  const history = (id: string) => shop.call('GET', `/api/merchants/intents/${id}/history`);

  test('200: every change with its transaction, what each brought, and what was too much', async () => {
    const { id, referenceAddress } = await newIntent(100);
    const pay = (baseUnits: bigint, isFinal = true, signature?: string) =>
      arrive(service, shop.id, {
        baseUnits,
        isFinal,
        references: [referenceAddress],
        ...(signature && { signature }),
      });
    const first = await pay(400_000n);
    const second = await pay(900_000n, false);
    await pay(900_000n, true, second);
    const answer = await history(id.toUpperCase());
    expect(answer.status).toBe(200);
    const [surplus] = (await list()).data;
    expect(answer.body).toEqual({
      entries: [
        entry(null, 'pending', 0, null),
        entry('payment_intent.underpaid', 'underpaid', 40, first),
        entry('payment_intent.updated', 'processing', 40, first),
        entry('payment_intent.succeeded', 'succeeded', 130, second),
      ],
      transactions: [
        { txSignature: first, amountCents: 40, amountBaseUnits: '400000', isFinal: true, blockTime: TIME },
        { txSignature: second, amountCents: 90, amountBaseUnits: '900000', isFinal: true, blockTime: TIME },
      ],
      exceptions: [surplus],
    });
    expect(surplus).toMatchObject({ kind: 'surplus', paymentIntentId: id });
  });

  test('200 with the money a person gave it', async () => {
    const { id } = await newIntent(100);
    const stray = await unmatched();
    await link(stray.id, id);
    const { body } = await history(id);
    expect(body.transactions).toMatchObject([{ txSignature: stray.txSignature, amountCents: 100 }]);
    expect(body.exceptions).toMatchObject([{ id: stray.id, status: 'linked', linkedPaymentIntentId: id }]);
  });

  test('200 with its creation alone, and with its end', async () => {
    const { id } = await newIntent(100);
    expect((await history(id)).body).toEqual({
      entries: [entry(null, 'pending', 0, null)],
      transactions: [],
      exceptions: [],
    });
    await shop.call('POST', `/api/merchants/intents/${id}/cancel`);
    expect((await history(id)).body.entries[1]).toEqual(entry('payment_intent.updated', 'canceled', 0, null));
  });

  test('404 for one that never was', async () => {
    expect(codeOf(await history(randomUUID()))).toEqual([404, 'NOT_FOUND']);
  });

  const TIME = expect.stringMatching(/^20.+Z$/);
  const entry = (
    event: string | null,
    status: string,
    amountReceivedCents: number,
    txSignature: string | null,
  ) => ({
    at: TIME,
    event,
    status,
    amountReceivedCents,
    txSignature,
    failureReason: null,
  });
});

describe('GET /api/v2/exceptions', () => {
  test('200 with every field, newest first, page by page', async () => {
    const canceled = await newIntent();
    await shop.call('POST', `/api/merchants/intents/${canceled.id}/cancel`);
    const signatures = [
      await arrive(service, shop.id, { baseUnits: 12_345n }),
      await arrive(service, shop.id, { baseUnits: 90_000n, references: [canceled.referenceAddress] }),
      await arrive(service, shop.id, { baseUnits: 10_000n }),
    ].reverse();
    const { data, hasMore, nextCursor } = await list();
    expect(data.map((item: { txSignature: string }) => item.txSignature)).toEqual(signatures);
    expect([hasMore, nextCursor]).toEqual([false, null]);
    expect(data[2]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: 'unmatched',
      status: 'open',
      amountCents: 1,
      amountBaseUnits: '12345',
      decimals: 6,
      mint: MINT,
      txSignature: signatures[2],
      destinationAddress: shop.payoutAddress,
      paymentIntentId: null,
      linkedPaymentIntentId: null,
      balanceEntryId: null,
      refundId: null,
      isAfterPayment: false,
      transferCount: 1,
      note: null,
      createdAt: expect.stringMatching(/Z$/),
      resolvedAt: null,
    });
    expect(data[1]).toMatchObject({ kind: 'canceled', paymentIntentId: canceled.id });
    const first = await list('?limit=2');
    expect([first.data.length, first.hasMore]).toEqual([2, true]);
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data]).toEqual(data);
    expect(second.hasMore).toBe(false);
  });

  test('200 filtered by status, kind and time', async () => {
    const [open, returned] = [await unmatched(), await unmatched()];
    await markReturned(returned.id);
    const intent = await newIntent();
    await arrive(service, shop.id, { baseUnits: 1_010_000n, references: [intent.referenceAddress] });
    const kinds = async (query: string) =>
      (await list(query)).data.map((item: { kind: string; status: string }) => `${item.kind} ${item.status}`);
    expect(await kinds('?status=open')).toEqual(['surplus open', 'unmatched open']);
    expect(await kinds('?status=returned')).toEqual(['unmatched returned']);
    expect(await kinds('?status=open&status=returned&kind=unmatched')).toHaveLength(2);
    expect(await kinds('?kind=surplus&kind=late')).toEqual(['surplus open']);
    expect(await kinds('?status=linked')).toEqual([]);
    expect(await kinds(`?createdTo=${open.createdAt}`)).toEqual([]);
    expect(await kinds(`?createdFrom=${open.createdAt}`)).toHaveLength(3);
  });

  test('200 as CSV with all rows, a formula made harmless', async () => {
    const { id } = await unmatched();
    await unmatched();
    await markReturned(id, { note: '=cmd|"x"' });
    const csv = await shop.call('GET', `${LIST}?limit=1`, undefined, { accept: 'text/csv' });
    expect([csv.status, csv.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const lines = csv.text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    expectSameRows(csv.text, (await list()).data);
    expect(lines[2]).toContain(`,"'=cmd|""x""",`);
  });

  test('400 for a bad filter, limit, cursor or an unknown parameter', async () => {
    for (const query of ['status=x', 'kind=x', 'limit=0', 'limit=101', 'cursor=x', 'createdFrom=x', 'a=1']) {
      const answer = await shop.call('GET', `${LIST}?${query}`);
      expect(codeOf(answer)).toEqual([400, 'BAD_REQUEST']);
      expect(answer.body.error.message.startsWith(query.split('=')[0]!)).toBe(true);
    }
  });

  test('401 without a key, 403 without both reading scopes', async () => {
    expect(codeOf(await call(service.url + LIST, 'GET'))).toEqual([401, 'UNAUTHORIZED']);
    for (const scope of ['billing:read', 'payments:read'] as const) {
      const authorization = `Bearer ${await shop.keyWith([scope])}`;
      const answer = await shop.call('GET', LIST, undefined, { authorization });
      expect(codeOf(answer)).toEqual([403, 'INSUFFICIENT_SCOPE']);
    }
    const authorization = `Bearer ${await shop.keyWith(['billing:read', 'payments:read'])}`;
    expect((await shop.call('GET', LIST, undefined, { authorization })).status).toBe(200);
  });
});

describe('POST …/link', () => {
  test('200: the intent is credited, told so, audited, and paid once however often it is asked', async () => {
    const intent = await newIntent();
    const exception = await unmatched();
    const headers = { 'idempotency-key': randomUUID() };
    const linked = await link(exception.id.toUpperCase(), intent.id.toUpperCase(), headers);
    expect(linked.status).toBe(200);
    expect(linked.body).toEqual({
      ...exception,
      status: 'linked',
      linkedPaymentIntentId: intent.id,
      resolvedAt: expect.stringMatching(/Z$/),
    });
    const again = await link(exception.id.toUpperCase(), intent.id.toUpperCase(), headers);
    expect([again.status, again.text]).toEqual([200, linked.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await readIntent(intent.id)).toMatchObject({ status: 'succeeded', amountReceivedCents: 100 });
    const events = await service.db.query<{ event: string }>(
      'select event from events where object_id = $1',
      [intent.id],
    );
    expect(events).toEqual([{ event: 'payment_intent.succeeded' }]);
    const audit = await service.db.query<{ action: string }>(
      'select action from audit_entries where target_id = $1',
      [exception.id],
    );
    expect(audit).toEqual([{ action: 'exception.linked' }]);
  });

  test('200 with too little: underpaid; with too much: succeeded and the surplus listed; a second success too', async () => {
    const part = await newIntent();
    await link((await unmatched(400_000n)).id, part.id);
    expect(await readIntent(part.id)).toMatchObject({ status: 'underpaid', amountReceivedCents: 40 });
    const twin = await newIntent(100, part.orderId);
    const much = await unmatched(1_500_000n);
    await link(much.id, twin.id);
    expect(await readIntent(twin.id)).toMatchObject({ status: 'succeeded', amountReceivedCents: 150 });
    expect((await list('?kind=surplus')).data).toMatchObject([
      { amountBaseUnits: '500000', paymentIntentId: twin.id, txSignature: much.txSignature, status: 'open' },
    ]);
    await link((await unmatched(600_000n)).id, part.id);
    expect((await list('?kind=duplicate_order')).data).toMatchObject([{ paymentIntentId: part.id }]);
  });

  test('400 for what is no intent of one’s own at that address', async () => {
    const { id } = await unmatched();
    const other = await service.createMerchant('Other', null);
    await shareAddress(service.db, other.id, shop.payoutAddress!);
    const theirs = await other.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: 'x' });
    const foreign = await link(id, theirs.body.id);
    expect(codeOf(foreign)).toEqual([400, 'BAD_REQUEST']);
    expect(foreign.body.error.message).toBe((await link(id, randomUUID())).body.error.message);
    await moveTo(service.db, shop.id, newAddress());
    expect((await link(id, (await newIntent()).id)).status).toBe(400);
    for (const wrong of [undefined, null, 1, 'none']) expect((await link(id, wrong)).status).toBe(400);
    const more = await shop.call('POST', `${LIST}/${id}/link`, { paymentIntentId: randomUUID(), a: 1 });
    expect(more.status).toBe(400);
    expect((await list('?status=open')).data).toHaveLength(1);
  });

  test('409 for a paid or canceled intent, for money that cannot be linked, and for what is settled', async () => {
    const paid = await newIntent();
    await arrive(service, shop.id, { baseUnits: 1_010_000n, references: [paid.referenceAddress] });
    const canceled = await newIntent();
    await shop.call('POST', `/api/merchants/intents/${canceled.id}/cancel`);
    const surplus = (await list('?kind=surplus')).data[0];
    const free = await unmatched();
    const waiting = await newIntent();
    for (const intent of [paid, canceled])
      expect(codeOf(await link(free.id, intent.id))).toEqual([409, 'INVALID_STATE']);
    expect(codeOf(await link(surplus.id, waiting.id))).toEqual([409, 'INVALID_STATE']);
    await markReturned(free.id);
    expect(codeOf(await link(free.id, waiting.id))).toEqual([409, 'INVALID_STATE']);
    expect(await readIntent(waiting.id)).toMatchObject({ status: 'pending', amountReceivedCents: 0 });
  });

  test('409 when the same key carries another intent; two who link at once: one does', async () => {
    const [a, b] = [await newIntent(), await newIntent()];
    const first = await unmatched();
    const headers = { 'idempotency-key': randomUUID() };
    await link(first.id, a.id, headers);
    expect(codeOf(await link(first.id, b.id, headers))).toEqual([409, 'IDEMPOTENCY_CONFLICT']);
    const second = await unmatched();
    const [c, d] = [await newIntent(), await newIntent()];
    const answers = await Promise.all([link(second.id, c.id), link(second.id, d.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const received = await Promise.all(
      [c, d].map(async ({ id }) => (await readIntent(id)).amountReceivedCents),
    );
    expect(received.sort()).toEqual([0, 100]);
  });
});

describe('POST …/mark-returned', () => {
  test('200 with a note, without one and without a body; audited; the same key gets the same answer', async () => {
    const headers = { 'idempotency-key': 'return-1' };
    const exception = await unmatched();
    const returned = await markReturned(exception.id, { note: 'sent\nback' }, headers);
    expect([returned.status, returned.body]).toEqual([
      200,
      { ...exception, status: 'returned', note: 'sent\nback', resolvedAt: expect.stringMatching(/Z$/) },
    ]);
    expect((await markReturned(exception.id, { note: 'sent\nback' }, headers)).text).toBe(returned.text);
    expect((await markReturned((await unmatched()).id, { note: null })).body.note).toBeNull();
    expect((await markReturned((await unmatched()).id)).body.status).toBe('returned');
    const audit = await service.db.query<{ action: string }>(
      'select action from audit_entries where target_id = $1',
      [exception.id],
    );
    expect(audit).toEqual([{ action: 'exception.returned' }]);
  });

  test('400 for a bad note or another property, 409 for what is settled', async () => {
    const { id } = await unmatched();
    for (const body of [{ note: '' }, { note: 'x'.repeat(2001) }, { note: 1 }, { other: 1 }, []])
      expect(codeOf(await markReturned(id, body))).toEqual([400, 'BAD_REQUEST']);
    expect((await markReturned(id)).status).toBe(200);
    expect(codeOf(await markReturned(id))).toEqual([409, 'INVALID_STATE']);
  });
});

test.each(['link', 'mark-returned'])('401, 403 and 404 of %s', async (action) => {
  const { id } = await unmatched();
  const body = action === 'link' ? { paymentIntentId: (await newIntent()).id } : {};
  const act = (target: string, headers?: Record<string, string>) =>
    shop.call('POST', `${LIST}/${target}/${action}`, body, headers);
  expect(codeOf(await act(id, { authorization: '' }))).toEqual([401, 'UNAUTHORIZED']);
  for (const missing of SCOPES) {
    const key = await shop.keyWith(SCOPES.filter((scope) => scope !== missing));
    expect(codeOf(await act(id, { authorization: `Bearer ${key}` }))).toEqual([403, 'INSUFFICIENT_SCOPE']);
  }
  for (const target of [randomUUID(), 'none']) expect(codeOf(await act(target))).toEqual([404, 'NOT_FOUND']);
  const other = await service.createMerchant('Other', null);
  await shareAddress(service.db, other.id, shop.payoutAddress!);
  expect(codeOf(await other.call('POST', `${LIST}/${id}/${action}`, body))).toEqual([404, 'NOT_FOUND']);
  expect((await list()).data[0].status).toBe('open');
});

test('the books balance after all of the above', async () => {
  const results = await checkInvariants(service.db, [...intentInvariants, ...settlementInvariants]);
  expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
});
