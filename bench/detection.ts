import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { cpuMeter } from './cpu-time.ts';
import { fillIntents } from './fill-intents.ts';
import { watchFinality } from './finality.ts';
import { createPayer, type ToPay } from './payer.ts';
import { percentile, type Round, spreadOf } from './rounds.ts';
import { watchStatus } from './watch-status.ts';
import { openWatchedShop, type WatchedShop } from './watched-shop.ts';
import { type Workshop, withWorkshop } from './workshop.ts';

const MERCHANTS = 20;
const OPEN = 10_000;
const FEW_CLOSED = 10_000;
const MANY_CLOSED = 1_000_000;
/** Lifetime of an intent, such that as many expire in a second as are opened: a hundred. */
const LIFE_SECONDS = 100;
const REPLACE_MS = 500;
const SLOT_MS = 100;
/**
 * Length of the window, no multiple of the poll interval: accounts are read in bursts, and a window that just holds
 * one more would mislead.
 */
const WATCH_SECONDS = 24;
const WARM_UP_SECONDS = 6;
const PAYMENTS = 20;
const PAY_EVERY_MS = 250;
const ALLOWED_CALLS = 5;

/**
 * Measures watching 10,000 open intents of 20 merchants, of which a hundred a second expire and are replaced: RPC
 * calls per second, against the five allowed. The same load runs at the same time over 10,000 and over 1,000,000
 * closed intents; the processor time of both shows if the closed ones matter.
 */
export function detection({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    say('filling the closed intents');
    const few = await openSide(shop, { data, name: 'few', closed: FEW_CLOSED, profileFolder });
    const many = await openSide(shop, { data, name: 'many', closed: MANY_CLOSED, profileFolder });
    const sides = [few, many];
    shop.onClose(async () => Promise.all(sides.map((side) => side.stop())));

    const calls: Round[] = [];
    const cpu: Round[] = [];
    const delaysMs: number[][] = [[], []];
    const callsForPayments: number[] = [];
    for (let i = -1; i < rounds; i++) {
      const [a, b] = await Promise.all(
        sides.map((side) => side.watch(i < 0 ? WARM_UP_SECONDS : WATCH_SECONDS)),
      );
      const paid = await Promise.all(sides.map((side) => side.payAndWait()));
      say(
        `${i < 0 ? 'warm-up' : `round ${i + 1} of ${rounds}`}: ${b!.callsPerSecond.toFixed(1)} calls/s, ` +
          `${b!.cpuSeconds.toFixed(2)} s of a processor, ` +
          `paid ${percentile(paid[1]!.delaysMs, 95).toFixed(0)} ms after finality`,
      );
      if (i < 0) continue;
      const worse = Math.max(a!.callsPerSecond, b!.callsPerSecond);
      calls.push({ of: 'calls', ours: worse, yardstick: ALLOWED_CALLS, ratio: ALLOWED_CALLS / worse });
      cpu.push({
        of: 'cpu',
        ours: b!.cpuSeconds,
        yardstick: a!.cpuSeconds,
        ratio: a!.cpuSeconds / b!.cpuSeconds,
      });
      for (const [n, { delaysMs: delays }] of paid.entries()) delaysMs[n]!.push(...delays);
      callsForPayments.push(...paid.map((one) => one.callsPerPayment));
    }
    for (const side of sides) await side.check();

    const spread = spreadOf(calls);
    return {
      ratio: spread.median,
      spread,
      unit: 'calls/s',
      rounds: calls,
      extra: {
        cpuFewClosedOverMany: { ...spreadOf(cpu), atLeast: 0.9, rounds: cpu },
        succeededAfterFinalityMs: {
          p50: delaysMs.map((all) => percentile(all, 50)),
          p95: delaysMs.map((all) => percentile(all, 95)),
          atMost: 1_000,
        },
        callsPerPayment: percentile(callsForPayments, 50),
        expiredAfterMs: await Promise.all(sides.map((side) => side.oldestDueMs())),
      },
    };
  });
}

interface Side {
  watch(seconds: number): Promise<{ callsPerSecond: number; cpuSeconds: number }>;
  payAndWait(): Promise<{ delaysMs: number[]; callsPerPayment: number }>;
  /** Fails when the load was not what it should have been. */
  check(): Promise<void>;
  /** Returns by how much the intent that is due for longest is overdue. */
  oldestDueMs(): Promise<number>;
  stop(): Promise<void>;
}

interface SideSpec {
  data: string;
  name: string;
  closed: number;
  profileFolder: string | undefined;
}

async function openSide(shop: Workshop, { closed, ...spec }: SideSpec): Promise<Side> {
  const chain = await shop.startYardstick('chain.ts', {
    name: `${spec.name}-chain`,
    env: { SLOT_MS: String(SLOT_MS) },
  });
  const watched = await openWatchedShop(shop, {
    ...spec,
    merchants: MERCHANTS,
    chain,
    fill: (db, merchantIds) => fillIntents(db, merchantIds, closed),
  });
  return startSide(watched, chain.url);
}

async function startSide(shop: WatchedShop, chainUrl: string): Promise<Side> {
  const { db, service } = shop;
  await shop.open(OPEN, { from: 0, to: LIFE_SECONDS });
  const churn = startChurn(shop);
  const pay = await createPayer(chainUrl);
  const finality = await watchFinality(chainUrl);
  const ownPids = await Promise.all(
    [db, shop.onlooker].map(async (own) => (await own.query('select pg_backend_pid() as pid')).rows[0].pid),
  );
  const cpuSeconds = cpuMeter(service.pid, shop.name, ownPids);
  const success = watchStatus(shop, `status = 'succeeded'`);
  /** Milliseconds from a payment's finality to the moment its intent is seen to have succeeded. */
  const delayOf = async (payment: Promise<string>, id: string) => {
    const succeeded = success.seenAt(id);
    const finalMs = await finality.finalAt(await payment);
    return Math.max(0, (await succeeded) - finalMs);
  };

  return {
    async watch(seconds) {
      const before = await shop.rpcCalls();
      await cpuSeconds();
      await sleep(seconds * 1000);
      const used = await cpuSeconds();
      return { callsPerSecond: ((await shop.rpcCalls()) - before) / seconds, cpuSeconds: used };
    },
    async payAndWait() {
      const before = await shop.rpcCalls();
      const payments: Promise<number>[] = [];
      for (const intent of churn.takeYoungest(PAYMENTS)) {
        payments.push(delayOf(pay(intent), intent.id));
        await sleep(PAY_EVERY_MS);
      }
      const delaysMs = await Promise.all(payments);
      return { delaysMs, callsPerPayment: ((await shop.rpcCalls()) - before) / PAYMENTS };
    },
    async check() {
      const { rows: found } = await db.query(
        `select count(*) filter (where status = 'pending')::int as open,
                count(*) filter (where status = 'expired' and expires_at > now() - interval '1 minute')::int as expired
           from payment_intents`,
      );
      const { open, expired } = found[0];
      if (open < 0.9 * OPEN || open > 1.1 * OPEN || expired === 0)
        throw new Error(`${open} intents are open and ${expired} expired in the last minute`);
    },
    async oldestDueMs() {
      const { rows: found } = await db.query(
        `select coalesce(extract(epoch from now() - min(expires_at)) * 1000, 0)::float8 as ms
           from payment_intents where status = 'pending' and expires_at < now()`,
      );
      return Math.round(found[0].ms);
    },
    async stop() {
      finality.close();
      await Promise.all([churn.stop(), success.stop()]);
    },
  };
}

/** Opens as many as expire, until it is stopped. */
function startChurn(shop: WatchedShop) {
  const each = (OPEN / LIFE_SECONDS) * (REPLACE_MS / 1000);
  let youngest: ToPay[] = [];
  let isStopping = false;
  const running = (async () => {
    for (let due = performance.now(); !isStopping; due += REPLACE_MS) {
      youngest = await shop.open(each, { from: LIFE_SECONDS, to: LIFE_SECONDS + REPLACE_MS / 1000 });
      await sleep(Math.max(0, due + REPLACE_MS - performance.now()));
    }
  })();
  return {
    takeYoungest: (count: number) => youngest.slice(0, count),
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
