import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { newProject, newSession, referenceOf } from '../../../test/support/billing.ts';
import { PAYOUT, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { arrive, landed, MINT, newSignature } from '../../../test/support/transfers.ts';
import { associatedAccount } from '../../chain/solana/associated-account.ts';
import { intentInvariants } from '../../intents/invariants.ts';
import { checkInvariants } from '../../platform/db/invariant.ts';
import { settlementInvariants } from './invariants.ts';
import { revertDroppedTransfer } from './revert-dropped-transfer.ts';
import { settleTransfers } from './settle-transfers.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

let orders = 0;
async function newIntent(amountCents = 100, orderId = `o${orders++}`) {
  const { body } = await shop.call('POST', '/api/merchants/intents', { amountCents, orderId });
  return body as { id: string; referenceAddress: string; expiresAt: string };
}
const read = async (id: string) => (await shop.call('GET', `/api/merchants/intents/${id}`)).body;
const pay = (references: string[], baseUnits: bigint, more = {}) =>
  arrive(service, shop.id, { references, baseUnits, ...more });
const eventsOf = async (id: string) =>
  (
    await service.db.query<{ event: string; status: string; body: string }>(
      'select event, status, body from events where object_id = $1 order by sequence',
      [id],
    )
  ).map(({ event, status, body }) => ({ event, status, data: JSON.parse(body).data }));
const exceptionsOf = (signature: string) =>
  service.db.query<{ kind: string; baseUnits: bigint; intentId: string | null; mint: string }>(
    'select kind, base_units, intent_id, mint from payment_exceptions where signature = $1 order by kind',
    [signature],
  );

const UNITS = 1_000_000n; // of 100 cents

describe('linking', () => {
  test('a second payment of an order that is also too much is listed once, all of it', async () => {
    const twice = await newIntent(100, 'paid-twice');
    const intent = await newIntent(100, 'paid-twice');
    await pay([twice.referenceAddress], UNITS);
    const signature = await pay([], UNITS + 5n);
    const { body } = await shop.call('GET', '/api/v2/exceptions?kind=unmatched&status=open&limit=1');
    const path = `/api/v2/exceptions/${body.data[0].id}/link`;
    expect((await shop.call('POST', path, { paymentIntentId: intent.id })).body.status).toBe('linked');
    expect((await read(intent.id)).status).toBe('succeeded');
    expect(await exceptionsOf(signature)).toMatchObject([
      { kind: 'duplicate_order', baseUnits: UNITS + 5n, intentId: intent.id },
      { kind: 'unmatched', baseUnits: UNITS + 5n, intentId: null },
    ]);
  });
});

describe('a confirmed part', () => {
  test('leaves the status as it was, and still keeps the intent from being canceled by anybody', async () => {
    const terminal = (await shop.call('POST', '/api/b2b/merchants/terminals', {})).body;
    const create = (orderId: string) =>
      shop.call('POST', '/api/merchants/intents', { amountCents: 100, orderId, terminalId: terminal.id });
    const { body: intent } = await create('part-1');
    const signature = newSignature();
    await pay([intent.referenceAddress], UNITS / 2n, { signature, isFinal: false });
    const canceled = await shop.call('POST', `/api/merchants/intents/${intent.id}/cancel`);
    expect([canceled.status, canceled.body.error?.code]).toEqual([409, 'INVALID_STATE']);
    const replaced = await create('part-2');
    expect([replaced.status, replaced.body.error?.code]).toEqual([409, 'TERMINAL_BUSY']);
    expect([canceled, replaced].map(({ headers }) => headers.get('retry-after'))).toEqual(['5', '5']);
    await shop.call('PATCH', `/api/b2b/merchants/terminals/${terminal.id}`, { isActive: false });
    expect((await read(intent.id)).status).toBe('pending');
    await pay([intent.referenceAddress], UNITS / 2n, { signature });
    expect((await read(intent.id)).status).toBe('underpaid');
    expect(await exceptionsOf(signature)).toEqual([]);
  });
});

describe('one transfer', () => {
  test('confirmed: processing; finalized: succeeded, one event each, the signature and the true amount told', async () => {
    const intent = await newIntent();
    const signature = newSignature();
    await pay([intent.referenceAddress], UNITS, { signature, isFinal: false });
    expect(await read(intent.id)).toMatchObject({ status: 'processing', amountReceivedCents: 0 });
    await pay([intent.referenceAddress], UNITS, { signature, isFinal: false });
    await pay([intent.referenceAddress], UNITS, { signature });
    await pay([intent.referenceAddress], UNITS, { signature });
    expect(await read(intent.id)).toMatchObject({ status: 'succeeded', amountReceivedCents: 100 });
    const events = await eventsOf(intent.id);
    expect(events.map((event) => event.event)).toEqual([
      'payment_intent.updated',
      'payment_intent.succeeded',
    ]);
    expect(events[1]!.data).toMatchObject({
      paymentIntentId: intent.id,
      amountCents: 100,
      expectedAmountCents: 100,
      txSignature: signature,
    });
    expect(Object.keys(events[1]!.data)).toHaveLength(5);
    expect(await exceptionsOf(signature)).toEqual([]);
  });

  test('finalized without having been seen before', async () => {
    const intent = await newIntent();
    await pay([intent.referenceAddress], UNITS);
    expect((await eventsOf(intent.id)).map((event) => event.status)).toEqual(['succeeded']);
  });

  test('vanished: back to what it was, told as updated', async () => {
    const intent = await newIntent();
    const signature = await pay([intent.referenceAddress], UNITS, { isFinal: false });
    await service.db.transaction((tx) => revertDroppedTransfer(tx, signature, PAYOUT, service.clock.now()));
    expect(await read(intent.id)).toMatchObject({ status: 'pending', amountReceivedCents: 0 });
    expect((await eventsOf(intent.id)).map((event) => event.event)).toEqual([
      'payment_intent.updated',
      'payment_intent.updated',
    ]);
    await pay([intent.referenceAddress], UNITS, { signature });
    expect((await read(intent.id)).status).toBe('succeeded');
    await service.db.transaction((tx) => revertDroppedTransfer(tx, signature, PAYOUT, service.clock.now()));
    expect((await read(intent.id)).status).toBe('succeeded');
  });

  test('half a cent too little is underpaid and reported without the fraction', async () => {
    const intent = await newIntent();
    await pay([intent.referenceAddress], UNITS - 5_000n);
    expect(await read(intent.id)).toMatchObject({ status: 'underpaid', amountReceivedCents: 99 });
    await pay([intent.referenceAddress], 5_000n);
    expect(await read(intent.id)).toMatchObject({ status: 'succeeded', amountReceivedCents: 100 });
  });

  test('parts: underpaid again with each, then succeeded', async () => {
    const intent = await newIntent();
    for (const part of [200_000n, 300_000n, 500_000n]) await pay([intent.referenceAddress], part);
    const events = await eventsOf(intent.id);
    expect(events.map((event) => [event.event, event.data.amountCents])).toEqual([
      ['payment_intent.underpaid', 20],
      ['payment_intent.underpaid', 50],
      ['payment_intent.succeeded', 100],
    ]);
  });

  test('too much: succeeded with the true amount, the surplus listed; more later is a surplus of its own', async () => {
    const intent = await newIntent();
    const first = await pay([intent.referenceAddress], UNITS + 70_000n);
    expect(await read(intent.id)).toMatchObject({ status: 'succeeded', amountReceivedCents: 107 });
    expect(await exceptionsOf(first)).toMatchObject([
      { kind: 'surplus', baseUnits: 70_000n, intentId: intent.id },
    ]);
    const second = await pay([intent.referenceAddress], 30_000n);
    expect(await exceptionsOf(second)).toMatchObject([{ kind: 'surplus', baseUnits: 30_000n }]);
    expect(await read(intent.id)).toMatchObject({
      ...{ status: 'succeeded', amountReceivedCents: 107, txSignature: first },
    });
    expect(await eventsOf(intent.id)).toHaveLength(1);
  });

  test('a second success for one order is listed', async () => {
    const a = await newIntent(100, 'twice');
    const b = await newIntent(100, 'twice');
    await pay([a.referenceAddress], UNITS);
    const signature = await pay([b.referenceAddress], UNITS);
    expect((await read(b.id)).status).toBe('succeeded');
    expect(await exceptionsOf(signature)).toMatchObject([
      { kind: 'duplicate_order', baseUnits: UNITS, intentId: b.id },
    ]);
  });
});

describe('one order in several places', () => {
  const payBoth = async (
    settle: (references: string[]) => Promise<string[]>,
    sessions: { paymentIntentId: string }[],
  ) => {
    const references = await Promise.all(sessions.map((session) => referenceOf(shop, session)));
    const signatures = await settle(references);
    return (await Promise.all(signatures.map(exceptionsOf))).flat().map(({ kind }) => kind);
  };
  const oneByOne = async (references: string[]) => {
    const signatures: string[] = [];
    for (const reference of references) signatures.push(await pay([reference], 5n * UNITS));
    return signatures;
  };
  const together = async (references: string[]) => {
    const transfers = await Promise.all(
      references.map((reference) =>
        landed(service, shop.id, { references: [reference], baseUnits: 5n * UNITS }),
      ),
    );
    await settleTransfers({ db: service.db, wakeWebhooks: () => {} }, transfers);
    return transfers.map(({ transaction }) => transaction.signature);
  };

  test.each([
    ['one by one', oneByOne],
    ['together', together],
  ])('two projects are apart, one is not; %s', async (name, settle) => {
    const [a, b] = [await newProject(shop), await newProject(shop)];
    const merchantReference = `inv ${name}`;
    const inA = await newSession(shop, a.id, { merchantReference });
    const inB = await newSession(shop, b.id, { merchantReference });
    expect(await payBoth(settle, [inA, inB])).toEqual([]);
    const again = await newSession(shop, b.id, { merchantReference });
    expect(await payBoth(settle, [again])).toEqual(['duplicate_order']);
  });

  test.each([
    ['one by one', oneByOne],
    ['together', together],
  ])('payments of sessions and payments requested directly are kept apart; %s', async (name, settle) => {
    const project = await newProject(shop);
    const orderId = `both ways ${name}`;
    const session = await newSession(shop, project.id, { merchantReference: orderId });
    const direct = await newIntent(500, orderId);
    expect(await payBoth(settle, [session, { paymentIntentId: direct.id }])).toEqual([]);
  });

  test('an order paid through a session leaves it free for a direct intent, on a terminal too', async () => {
    const project = await newProject(shop);
    const session = await newSession(shop, project.id, { merchantReference: 'sold online' });
    await payBoth(oneByOne, [session]);
    const { body: terminal } = await shop.call('POST', '/api/b2b/merchants/terminals', {});
    const body = { amountCents: 500, orderId: 'sold online' };
    const key = { 'idempotency-key': randomUUID() };
    expect((await shop.call('POST', '/api/merchants/intents', body)).status).toBe(200);
    expect((await shop.call('POST', '/api/merchants/intents', body, key)).status).toBe(200);
    const there = { ...body, terminalId: terminal.id };
    expect((await shop.call('POST', '/api/merchants/intents', there)).status).toBe(200);
  });
});

describe('money that fits nothing', () => {
  test('without a reference: unmatched, credited to nobody', async () => {
    const intent = await newIntent();
    const signature = await pay([], UNITS);
    expect(await exceptionsOf(signature)).toMatchObject([
      { kind: 'unmatched', baseUnits: UNITS, intentId: null },
    ]);
    expect((await read(intent.id)).status).toBe('pending');
  });

  test('for a canceled intent', async () => {
    const intent = await newIntent();
    await shop.call('POST', `/api/merchants/intents/${intent.id}/cancel`);
    const signature = await pay([intent.referenceAddress], UNITS);
    expect(await exceptionsOf(signature)).toMatchObject([
      { kind: 'canceled', baseUnits: UNITS, intentId: intent.id },
    ]);
    expect((await read(intent.id)).status).toBe('canceled');
  });

  test('late counts for 30 days after expiry, to the second, and not after', async () => {
    const limit = (expiresAt: string) => new Date(new Date(expiresAt).getTime() + 30 * 86_400_000);
    const inTime = await newIntent();
    await pay([inTime.referenceAddress], UNITS, { blockTime: limit(inTime.expiresAt) });
    expect((await read(inTime.id)).status).toBe('succeeded');
    const tooLate = await newIntent();
    const signature = await pay([tooLate.referenceAddress], UNITS, {
      blockTime: new Date(limit(tooLate.expiresAt).getTime() + 1_000),
    });
    expect(await exceptionsOf(signature)).toMatchObject([{ kind: 'late', intentId: tooLate.id }]);
    expect((await read(tooLate.id)).status).toBe('pending');
  });

  test('a transaction older than the intent does not count for it', async () => {
    const intent = await newIntent();
    const signature = await pay([intent.referenceAddress], UNITS, {
      blockTime: new Date(service.clock.now().getTime() - 600_000),
    });
    expect(await exceptionsOf(signature)).toMatchObject([{ kind: 'unmatched', baseUnits: UNITS }]);
    expect((await read(intent.id)).status).toBe('pending');
  });

  test('one transfer that names two intents: ambiguous; two transfers for two: both paid', async () => {
    const [a, b] = [await newIntent(), await newIntent()];
    const account = await associatedAccount(PAYOUT, MINT);
    const both = [a.referenceAddress, b.referenceAddress];
    const blurred = await pay(both, UNITS, {
      transfers: [{ destination: account, amount: UNITS, accounts: both }],
    });
    expect(await exceptionsOf(blurred)).toMatchObject([{ kind: 'ambiguous', baseUnits: UNITS }]);
    await pay(both, 2n * UNITS, {
      transfers: both.map((reference) => ({ destination: account, amount: UNITS, accounts: [reference] })),
    });
    expect([(await read(a.id)).status, (await read(b.id)).status]).toEqual(['succeeded', 'succeeded']);
  });

  test('what an intent was shown is not given to one that is written later, however the transaction names that one', async () => {
    const account = await associatedAccount(PAYOUT, MINT);
    for (const isAlsoNamedAlone of [true, false]) {
      const shown = await newIntent();
      const signature = await pay([shown.referenceAddress], UNITS, { isFinal: false });
      const later = await newIntent();
      const both = [shown.referenceAddress, later.referenceAddress];
      const accounts = isAlsoNamedAlone ? [later.referenceAddress] : both;
      const again = { signature, transfers: [{ destination: account, amount: UNITS, accounts }] };
      for (const isFinal of [false, true]) await pay(both, UNITS, { ...again, isFinal });
      expect([(await read(shown.id)).status, (await read(later.id)).status]).toEqual([
        'succeeded',
        'pending',
      ]);
      expect(await exceptionsOf(signature)).toEqual([]);
    }
  });

  test('a failed transaction: failed, still payable; the wrong token: failed and listed', async () => {
    const failed = await newIntent();
    await pay([failed.referenceAddress], 0n, { hasFailed: true, isFinal: false });
    expect((await read(failed.id)).status).toBe('pending');
    const failing = await pay([failed.referenceAddress], 0n, { hasFailed: true });
    expect((await read(failed.id)).status).toBe('failed');
    await pay([failed.referenceAddress], 0n, { hasFailed: true });
    expect(await eventsOf(failed.id)).toMatchObject([
      { event: 'payment_intent.failed', data: { amountCents: 0, txSignature: failing } },
    ]);
    await pay([failed.referenceAddress], UNITS);
    expect((await read(failed.id)).status).toBe('succeeded');
    const wrong = await newIntent();
    const signature = await pay([wrong.referenceAddress], 0n, { otherMint: 55n });
    expect((await read(wrong.id)).status).toBe('failed');
    expect(await eventsOf(wrong.id)).toMatchObject([{ data: { txSignature: signature } }]);
    expect(await exceptionsOf(signature)).toMatchObject([
      { kind: 'wrong_mint', baseUnits: 55n, mint: 'OtherMint' },
    ]);
  });

  test('worthless tokens sent again and again are one exception for each intent and token, counted; the first is shown', async () => {
    const [flooded, other] = [await newIntent(), await newIntent()];
    const listed = async () =>
      (await shop.call('GET', '/api/v2/exceptions?kind=wrong_mint&limit=100')).body.data.filter(
        (item: { paymentIntentId: string }) => [flooded.id, other.id].includes(item.paymentIntentId),
      );
    const first = await pay([flooded.referenceAddress], 0n, { otherMint: 55n });
    const rest = [];
    for (let i = 0; i < 4; i++) rest.push(await pay([flooded.referenceAddress], 0n, { otherMint: 7n }));
    // Looked at once more, nothing counts twice.
    await pay([flooded.referenceAddress], 0n, { otherMint: 7n, signature: rest[0] });
    await pay([other.referenceAddress], 0n, { otherMint: 1n });
    const [ofOther, ofFlooded, ...more] = await listed();
    expect(more).toEqual([]);
    expect(ofOther).toMatchObject({ paymentIntentId: other.id, transferCount: 1 });
    expect(ofFlooded).toMatchObject({ txSignature: first, amountBaseUnits: '55', transferCount: 5 });
    const { body: history } = await shop.call('GET', `/api/merchants/intents/${flooded.id}/history`);
    expect(history.exceptions).toMatchObject([{ id: ofFlooded.id, transferCount: 5 }]);

    // A person's decision is kept: later money is listed again.
    await shop.call('POST', `/api/v2/exceptions/${ofFlooded.id}/mark-returned`, {});
    const later = await pay([flooded.referenceAddress], 0n, { otherMint: 9n });
    await pay([flooded.referenceAddress], 0n, { otherMint: 9n });
    const newest = (await listed())[0];
    expect(newest).toMatchObject({ txSignature: later, status: 'open', transferCount: 2 });
    expect((await listed()).map((item: { transferCount: number }) => item.transferCount)).toEqual([2, 1, 5]);
  });

  test('dust that only mentions the reference changes nothing', async () => {
    const intent = await newIntent();
    await pay([intent.referenceAddress], 0n);
    expect((await read(intent.id)).status).toBe('pending');
    expect(await eventsOf(intent.id)).toEqual([]);
  });
});

test('the books balance after all of the above', async () => {
  const results = await checkInvariants(service.db, [...intentInvariants, ...settlementInvariants]);
  expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
});

test('any order of confirmed, final, repeated and vanished transfers ends in the state the final ones make', async () => {
  const step = fc.record({ transfer: fc.nat(3), what: fc.constantFrom('confirm', 'finalize', 'vanish') });
  const amounts = fc.array(
    fc.oneof(fc.bigInt({ min: 1n, max: 900_000n }), fc.bigInt({ min: 1n, max: 12_000n })),
    { minLength: 4, maxLength: 4 },
  );
  await fc.assert(
    fc.asyncProperty(amounts, fc.array(step, { maxLength: 14 }), async (units, steps) => {
      const intent = await newIntent();
      const signatures = units.map(newSignature);
      const state = units.map(() => 'absent');
      const sum = (wanted: string) =>
        units.reduce((total, unit, i) => (state[i] === wanted ? total + unit : total), 0n);
      for (const { transfer, what } of steps) {
        const signature = signatures[transfer]!;
        if (what === 'vanish') {
          await service.db.transaction((tx) =>
            revertDroppedTransfer(tx, signature, PAYOUT, service.clock.now()),
          );
          if (state[transfer] === 'confirmed') state[transfer] = 'absent';
        } else {
          await pay([intent.referenceAddress], units[transfer]!, { signature, isFinal: what === 'finalize' });
          const isOver = state[transfer] === 'final' || state[transfer] === 'later';
          // A paid intent keeps its amount: money that becomes final later is not added.
          const final = sum('final') >= UNITS ? 'later' : 'final';
          if (!isOver) state[transfer] = what === 'finalize' ? final : 'confirmed';
        }
        const { status, amountReceivedCents } = await read(intent.id);
        expect(BigInt(amountReceivedCents)).toBe(sum('final') / 10_000n);
        if (sum('final') >= UNITS) expect(status).toBe('succeeded');
        else if (sum('confirmed') > 0n && sum('final') + sum('confirmed') >= UNITS)
          expect(status).toBe('processing');
        else expect(status).toBe(sum('final') >= 10_000n ? 'underpaid' : 'pending');
      }
    }),
    { numRuns: 40 },
  );
  const results = await checkInvariants(service.db, [...intentInvariants, ...settlementInvariants]);
  expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
});

test('what came along with a merchant as signed for its order pays that order at its own address, and nobody else’s', async () => {
  const other = await service.createMerchant('Moved');
  const { body: theirs } = await other.call('POST', '/api/merchants/intents', {
    amountCents: 100,
    orderId: 'moved',
  });
  const came = async (signature: string) => {
    await service.db.query(
      `insert into submitted_signatures (merchant_id, intent_id, signature, submitted_at, sends, message_hash)
       values ($1, $2, $3, now(), 1, $4)`,
      [other.id, theirs.id, signature, randomBytes(32)],
    );
    return { signature };
  };
  const ours = [await newIntent(), await newIntent(), await newIntent()];
  await pay([ours[0]!.referenceAddress], UNITS, await came(newSignature()));
  // Also where several are settled together.
  const together = [];
  for (const { referenceAddress } of ours.slice(1))
    together.push(
      await landed(service, shop.id, {
        references: [referenceAddress],
        baseUnits: UNITS,
        ...(await came(newSignature())),
      }),
    );
  await settleTransfers({ db: service.db, wakeWebhooks() {} }, together);
  for (const { id } of ours) expect((await read(id)).status).toBe('succeeded');
  await arrive(service, other.id, { baseUnits: UNITS, ...(await came(newSignature())) });
  expect((await other.call('GET', `/api/merchants/intents/${theirs.id}`)).body).toMatchObject({
    status: 'succeeded',
    paidVia: 'transfer',
  });
});

test('the same transfer settled by eight watchers at once counts once', async () => {
  const intent = await newIntent();
  const signature = newSignature();
  await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      pay([intent.referenceAddress], UNITS, { signature, isFinal: i % 2 === 0 }),
    ),
  );
  expect(await read(intent.id)).toMatchObject({ status: 'succeeded', amountReceivedCents: 100 });
  expect(
    await service.db.query('select from payment_allocations where signature = $1', [signature]),
  ).toHaveLength(1);
});
