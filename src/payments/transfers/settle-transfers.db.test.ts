import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import { landed, newSignature } from '../../../test/support/transfers.ts';
import {
  dispatchAll,
  eventually,
  setUrl,
  startReceiver,
  startWorker,
} from '../../../test/support/webhooks.ts';
import { intentInvariants } from '../../intents/invariants.ts';
import type { Database } from '../../platform/db/database.ts';
import { checkInvariants } from '../../platform/db/invariant.ts';
import { settlementInvariants } from './invariants.ts';
import { settleTransfer } from './settle-transfer.ts';
import { settleTransfers } from './settle-transfers.ts';

let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

const UNITS = 1_000_000n; // of 100 cents
let runs = 0;

interface Planned {
  /** Indexes of the intents that it names. */
  names: number[];
  baseUnits: bigint;
  isFinal: boolean;
  hasFailed: boolean;
  otherMint: bigint;
  /** Number of the transaction; the same one may come again. */
  which: number;
}

/** Four intents; what the plan leaves behind, told without ids. */
async function play(
  plan: readonly Planned[],
  settle: (transfers: Arrivals) => Promise<void>,
  orders = ['a', 'b', 'c', 'd'],
) {
  const run = runs++;
  const intents: { id: string; referenceAddress: string }[] = [];
  for (const order of orders) {
    const payload = { amountCents: 100, orderId: `${order}${run}` };
    intents.push((await shop.call('POST', '/api/merchants/intents', payload)).body);
  }
  const signatures = [0, 1, 2, 3, 4].map(newSignature);
  const transfers = await Promise.all(
    plan.map(({ names, which, ...rest }) => {
      const references = names.map((place) => intents[place]!.referenceAddress);
      return landed(service, shop.id, { ...rest, references, signature: signatures[which]! });
    }),
  );
  await settle(transfers);
  const ids = intents.map(({ id }) => id);
  const told = await service.db.query<Record<string, unknown>>(
    `select array_position($1::uuid[], id) as place, status, received_base_units as received, sequence,
            array_position($2::text[], tx_signature) as paid_by, succeeded_at is not null as has_time,
            array(select event || ' ' || status from events where object_id = i.id order by sequence) as events
       from payment_intents i where id = any($1) order by 1`,
    [ids, signatures],
  );
  const exceptions = await service.db.query(
    `select kind, base_units, array_position($2::text[], signature) as which, array_position($1::uuid[], intent_id) as place
       from payment_exceptions where signature = any($2) order by 1, 2, 3, 4`,
    [ids, signatures],
  );
  const credits = await service.db.query(
    `select array_position($1::uuid[], intent_id) as place, array_position($2::text[], signature) as which, base_units, is_final
       from payment_allocations where signature = any($2) order by 1, 2`,
    [ids, signatures],
  );
  return { told, exceptions, credits };
}

type Arrivals = Parameters<typeof settleTransfers>[1];

const wakeWebhooks = () => {};

const together = (transfers: Arrivals) => settleTransfers({ db: service.db, wakeWebhooks }, transfers);
const oneByOne = async (transfers: Arrivals) => {
  for (const transfer of transfers) await service.db.transaction((tx) => settleTransfer(tx, transfer));
};

const plain = (place: number, more: Partial<Planned> = {}): Planned => ({
  names: [place],
  baseUnits: UNITS,
  isFinal: true,
  hasFailed: false,
  otherMint: 0n,
  which: place,
  ...more,
});

test('payments of the exact amount share their transaction, confirmed and then final', async () => {
  let transactions = 0;
  const counting: Database = {
    ...service.db,
    transaction(work) {
      transactions++;
      return service.db.transaction(work);
    },
  };
  const settle = (transfers: Arrivals) => settleTransfers({ db: counting, wakeWebhooks }, transfers);
  const confirmed = [0, 1, 2].map((place) => plain(place, { isFinal: false }));
  const { told } = await play(confirmed, settle);
  expect(told.map(({ status }) => status)).toEqual(['processing', 'processing', 'processing', 'pending']);
  const final = await play(
    [0, 1, 2].map((place) => plain(place)),
    settle,
  );
  expect(final.told.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded', 'pending']);
  expect(transactions).toBe(2);
});

test('an order paid twice in one batch raises an exception, as it does one after the other', async () => {
  const { exceptions } = await play([plain(2), plain(3)], together, ['a', 'b', 'c', 'c']);
  expect(exceptions).toMatchObject([{ kind: 'duplicate_order', place: 4 }]);
});

test('whatever arrives, settling together and one by one come to the same', async () => {
  const planned = fc.record({
    names: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 0, max: 3 }).map((place) => [place]) },
      { weight: 1, arbitrary: fc.constantFrom<number[][]>([], [0, 1]) },
    ),
    baseUnits: fc.oneof(
      { weight: 4, arbitrary: fc.constant(UNITS) },
      { weight: 1, arbitrary: fc.constantFrom(0n, UNITS / 2n, 2n * UNITS) },
    ),
    isFinal: fc.boolean(),
    hasFailed: fc.oneof(
      { weight: 6, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
    otherMint: fc.oneof({ weight: 6, arbitrary: fc.constant(0n) }, { weight: 1, arbitrary: fc.constant(5n) }),
    which: fc.integer({ min: 0, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(planned, { minLength: 2, maxLength: 7 }), async (plan) => {
      // A failed transaction moves no tokens.
      const possible = plan.map((one) => (one.hasFailed ? { ...one, baseUnits: 0n, otherMint: 0n } : one));
      expect(await play(possible, together)).toEqual(await play(possible, oneByOne));
    }),
    { numRuns: 60 },
  );
  const results = await checkInvariants(service.db, [...intentInvariants, ...settlementInvariants]);
  expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
});

test('the webhook of a payment leaves at once, not at the next poll', async () => {
  const receiver = await startReceiver();
  await setUrl(service.db, shop.id, receiver.url);
  const { body } = await shop.call('POST', '/api/merchants/intents', { amountCents: 100, orderId: 'till' });
  await dispatchAll(service.db);
  let looks = 0;
  const query: Database['query'] = async (text, values) => {
    const rows = await service.db.query(text, values);
    if (text.includes('undispatched_events')) looks++;
    return rows as never[];
  };
  const worker = startWorker({ ...service, db: { ...service.db, query } }, { idleMs: 24 * 3_600_000 });
  await eventually(() => looks === 1);
  const options = { references: [body.referenceAddress], baseUnits: UNITS, isFinal: false };
  const parts = { db: service.db, wakeWebhooks: () => worker.kick() };
  await settleTransfers(parts, [await landed(service, shop.id, options)]);
  await eventually(() =>
    receiver.received.some((one) => JSON.parse(one.body).event === 'payment_intent.updated'),
  );
});
