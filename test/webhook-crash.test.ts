import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { invariants } from '../src/operations/doctor/doctor.ts';
import { checkInvariants } from '../src/platform/db/invariant.ts';
import { type Fleet, startFleet } from './support/fleet.ts';
import { postgresPid } from './support/process.ts';
import { emitEvents, eventually, type Receiver, startReceiver } from './support/webhooks.ts';

const ROUNDS = 3;
const EVENTS_A_ROUND = 120;

/** Events in thirty ordering keys, four in each. */
function lanesOfARound(): string[] {
  const orderingKeys = Array.from({ length: EVENTS_A_ROUND / 4 }, () => randomUUID());
  return [...orderingKeys, ...orderingKeys, ...orderingKeys, ...orderingKeys];
}

/** One more than a worker has under way at first: then both have some. */
const OF_BOTH = 9;

/** A receiver that can keep its answers back: a worker that is killed meanwhile has sent and not recorded. */
async function startHoldingReceiver() {
  let held: ServerResponse[] | undefined;
  const receiver = await startReceiver((response) => (held ? held.push(response) : response.end('ok')));
  return {
    receiver,
    hold() {
      held = [];
    },
    isHolding: (round: number) => held!.length >= (round === 0 ? OF_BOTH : 1),
    release() {
      for (const response of held!) response.end('ok');
      held = undefined;
    },
  };
}

interface Row {
  eventId: string;
  status: string;
  attempts: { number: number; error: string | null }[];
}

const listDeliveries = ({ db }: Fleet) =>
  db.query<Row>('select event_id as "eventId", status, attempts from webhook_deliveries order by ordinal');

/** Every event arrived, and the books know each once: one delivery, its attempts counted up, the last accepted. */
async function expectDeliveredAndBookedOnce(fleet: Fleet, receiver: Receiver, ids: string[]): Promise<void> {
  const rows = await eventually(async () => {
    const found = await listDeliveries(fleet).catch(() => []);
    return found.length === ids.length && found.every((row) => row.status === 'succeeded') && found;
  });
  expect(rows.map((row) => row.eventId).sort()).toEqual([...ids].sort());
  for (const { attempts } of rows) {
    expect(attempts.map(({ number }) => number)).toEqual(attempts.map((_, i) => i + 1));
    expect(attempts.map(({ error }) => error === null).indexOf(true)).toBe(attempts.length - 1);
  }
  const arrived = receiver.received.map(({ headers }) => headers['x-service-event-id'] as string);
  expect(new Set(arrived)).toEqual(new Set(ids));
  // Two arrivals are two attempts: no attempt was ever made by two workers.
  const keys = receiver.received.map(({ headers }) => headers['x-service-idempotency-key']);
  expect(new Set(keys).size).toBe(keys.length);
  const bodies = Map.groupBy(receiver.received, ({ headers }) => headers['x-service-event-id']);
  for (const same of bodies.values()) expect(new Set(same.map(({ body }) => body)).size).toBe(1);
  const results = await checkInvariants(fleet.db, invariants);
  expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
}

test('kill -9 of one worker after the other under load: every event arrives, each is booked once', async () => {
  const { receiver, hold, isHolding, release } = await startHoldingReceiver();
  const fleet = await startFleet(receiver.url);
  const workers = [await fleet.startWorker(), await fleet.startWorker()];
  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    hold();
    ids.push(...(await emitEvents(fleet.db, fleet.merchantId, lanesOfARound())));
    await eventually(() => isHolding(round));
    await workers[round % 2]!.end('SIGKILL');
    await fleet.endLeases();
    release();
    workers[round % 2] = await fleet.startWorker();
  }
  await expectDeliveredAndBookedOnce(fleet, receiver, ids);
  // Attempts were lost with their workers, and made again.
  expect(receiver.received.length).toBeGreaterThan(ids.length);
});

test('kill -9 of PostgreSQL under load: every event arrives, each is booked once', async () => {
  const { receiver, hold, isHolding, release } = await startHoldingReceiver();
  const fleet = await startFleet(receiver.url);
  await Promise.all([fleet.startWorker(), fleet.startWorker()]);
  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    hold();
    ids.push(...(await emitEvents(fleet.db, fleet.merchantId, lanesOfARound())));
    await eventually(() => isHolding(round));
    const pid = await postgresPid(fleet.dataFolder);
    process.kill(pid, 'SIGKILL');
    release();
    await eventually(async () => {
      const now = await postgresPid(fleet.dataFolder).catch(() => pid);
      return now !== pid && (await fleet.db.query('select').catch(() => undefined));
    });
  }
  await expectDeliveredAndBookedOnce(fleet, receiver, ids);
});

test('a worker process survives a database outage, and resumes afterwards', async () => {
  const receiver = await startReceiver();
  const fleet = await startFleet(receiver.url);
  const worker = await fleet.startWorker();
  const complaints = () => worker.output().split('webhooks: polling failed').length - 1;
  const hasEnded = () => worker.child.exitCode !== null;
  await fleet.stopPostgres();
  await eventually(() => complaints() >= 3 || hasEnded());
  expect(hasEnded()).toBe(false);
  await fleet.startPostgres();
  await emitEvents(fleet.db, fleet.merchantId);
  await eventually(() => receiver.received.length === 1);
});

test('a worker that was stopped while it sent comes back too late: its result is refused', async () => {
  const held = Promise.withResolvers<ServerResponse>();
  const receiver = await startReceiver((response, _, count) =>
    count === 1 ? held.resolve(response) : response.end('ok'),
  );
  const fleet = await startFleet(receiver.url);
  const zombie = await fleet.startWorker();
  await emitEvents(fleet.db, fleet.merchantId);
  const response = await held.promise;
  zombie.child.kill('SIGSTOP');
  await fleet.endLeases();
  await fleet.startWorker();
  const isDone = async () => (await listDeliveries(fleet))[0]!.status === 'succeeded';
  await eventually(isDone);
  const booked = await listDeliveries(fleet);
  response.writeHead(500).end('too late');
  zombie.child.kill('SIGCONT');
  await eventually(() => zombie.output().includes('result arrived after its lease ended'));
  expect(await listDeliveries(fleet)).toEqual(booked);
  expect(booked).toMatchObject([{ status: 'succeeded', attempts: [{ number: 1, httpStatus: 200 }] }]);
  expect(receiver.received).toHaveLength(2);
});
