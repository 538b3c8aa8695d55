import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type TestService, testService } from '../../test/support/service.ts';
import {
  dispatchAll,
  EVERYTHING,
  emitEvents,
  eventually,
  setUrl,
  startReceiver,
  startWorker,
} from '../../test/support/webhooks.ts';
import { isUnavailable } from '../platform/db/database-errors.ts';
import { checkInvariants } from '../platform/db/invariant.ts';
import { realNow } from '../platform/lib/clock.ts';
import { createAttempter } from './attempt.ts';
import { claimDeliveries } from './claim-deliveries.ts';
import { type Claim, LEASE_MS } from './delivery.ts';
import { dispatchEvents } from './dispatch-events.ts';
import { webhookInvariants } from './invariants.ts';
import { recordResults } from './record-results.ts';
import { createSender } from './send.ts';

/** A worker's way with an event, step by step; a crash is to take no further step. */
function steps({ db, secrets }: TestService) {
  const claim = () => claimDeliveries(db, EVERYTHING, realNow());
  async function send(claims: Claim[]) {
    const sender = createSender({ allowPrivate: true });
    const publicUrl = () => 'https://pay.example';
    const makeAttempt = createAttempter({
      ...{ sender, secrets, publicUrl },
      headerName: 'Service',
      userAgent: 'Florin/test',
    });
    const results = await Promise.all(
      claims.map(async (one) => ({ claim: one, outcome: await makeAttempt(one) })),
    );
    await sender.close();
    return results;
  }
  return {
    dispatch: () => dispatchEvents(db, EVERYTHING, 500, realNow()),
    makeDeliveries: () => dispatchAll(db),
    claim,
    claimAndSend: async () => send(await claim()),
    record: (results: Awaited<ReturnType<typeof send>>) => recordResults(db, results, realNow()),
    /** Kills the server side of `step` while it is in the midst of writing. */
    async cutOff(step: () => Promise<unknown>): Promise<void> {
      await db.transaction(async (tx) => {
        await tx.query('lock table webhook_deliveries in exclusive mode');
        const ended = step().catch((error: unknown) => error);
        const [waiting] = await eventually(async () => {
          // Not in the transaction: there the answer would always be the first one.
          const rows = await db.query<{ pid: number }>(
            `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          );
          return rows.length === 1 && rows;
        });
        await tx.query('select pg_terminate_backend($1)', [waiting!.pid]);
        expect(isUnavailable(await ended)).toBe(true);
      });
    },
  };
}

type Steps = ReturnType<typeof steps>;

/** The moment of a crash, what was done until then, and how often each event arrives in the end. */
const POINTS: [string, (take: Steps) => Promise<unknown>, number][] = [
  ['the event was written, nothing else', async () => {}, 1],
  ['while deliveries were being made', ({ cutOff, dispatch }) => cutOff(dispatch), 1],
  ['leased as it was dispatched, not sent', ({ dispatch }) => dispatch(), 1],
  ['a delivery, not claimed', ({ makeDeliveries }) => makeDeliveries(), 1],
  [
    'while it was being claimed',
    async ({ makeDeliveries, cutOff, claim }) => {
      await makeDeliveries();
      await cutOff(claim);
    },
    1,
  ],
  [
    'claimed, not sent',
    async ({ makeDeliveries, claim }) => {
      await makeDeliveries();
      expect(await claim()).toHaveLength(LANES);
    },
    1,
  ],
  [
    'sent, not recorded',
    async ({ makeDeliveries, claimAndSend }) => {
      await makeDeliveries();
      await claimAndSend();
    },
    2,
  ],
  [
    'while it was being recorded',
    async ({ makeDeliveries, claimAndSend, record, cutOff }) => {
      await makeDeliveries();
      const results = await claimAndSend();
      await cutOff(() => record(results));
    },
    2,
  ],
  [
    'recorded',
    async ({ makeDeliveries, claimAndSend, record }) => {
      await makeDeliveries();
      expect((await record(await claimAndSend())).size).toBe(LANES);
    },
    1,
  ],
];

const LANES = 6;

test.each(POINTS)(
  'a crash here: %s. The next worker delivers everything and books it once',
  async (_, until, times) => {
    const service = await testService();
    const { id: merchantId } = await service.createMerchant();
    const receiver = await startReceiver();
    await setUrl(service.db, merchantId, receiver.url);
    const ids = await emitEvents(
      service.db,
      merchantId,
      Array.from({ length: LANES }, () => randomUUID()),
    );
    await until(steps(service));

    const worker = startWorker(service, { now: () => new Date(realNow().getTime() + 2 * LEASE_MS) });
    const rows = await eventually(async () => {
      const found = await service.db.query<{ eventId: string; status: string }>(
        'select event_id as "eventId", status, attempts from webhook_deliveries order by ordinal',
      );
      return found.length === LANES && found.every(({ status }) => status === 'succeeded') && found;
    });
    await worker.stop();
    expect(rows).toMatchObject(
      ids.map((eventId) => ({ eventId, attempts: [{ number: 1, httpStatus: 200, error: null }] })),
    );
    const arrived = receiver.received.map(({ headers }) => headers['x-service-event-id']);
    expect(arrived.toSorted()).toEqual(
      ids.flatMap((id) => Array.from({ length: times }, () => id)).toSorted(),
    );
    const keys = receiver.received.map(({ headers }) => headers['x-service-idempotency-key']);
    expect(new Set(keys).size).toBe(LANES * times);
    const results = await checkInvariants(service.db, webhookInvariants);
    expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
  },
);
