import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { associatedAccount } from '../src/chain/solana/associated-account.ts';
import { USDC_MINTS } from '../src/chain/solana/network.ts';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import type { BenchMerchant } from './create-database.ts';
import { createPayer, type ToPay } from './payer.ts';
import type { Running } from './processes.ts';
import { startRecordedChain } from './recorded-chain.ts';
import { percentile, type Round, spreadOf } from './rounds.ts';
import { watchStatus } from './watch-status.ts';
import { openWatchedShop, type WatchedShop } from './watched-shop.ts';
import { type Workshop, withWorkshop } from './workshop.ts';

const MERCHANTS = 10_000;
/** Default limit of a process's calls to a node, outside of the sandbox. */
const CALLS_PER_SECOND = 25;
const ALLOWED_CALLS = 20;
const ALLOWED_MS = 3_000;
const SLOT_MS = 100;
const WARM_UP_SECONDS = 30;
/** Length of the rest, no multiple of the time that a look at all accounts takes. */
const REST_SECONDS = 33;
const PAYMENTS = 20;
const PAY_EVERY_MS = 250;
/** A payment that is not found by then counts as having taken so long. */
const GIVE_UP_MS = 120_000;
const LIFE_SECONDS = 7_200;

interface WatchedChain {
  of: 'sandbox' | 'recorded';
  /** Balance of the accounts when the watching begins. */
  openingBalance: number;
  start(shop: Workshop): Promise<{ running: Running; pay(intent: ToPay): Promise<unknown> }>;
}

const CHAINS: WatchedChain[] = [
  {
    of: 'sandbox',
    openingBalance: 0,
    async start(shop) {
      const running = await shop.startYardstick('chain.ts', {
        name: 'chain',
        env: { SLOT_MS: String(SLOT_MS) },
      });
      return { running, pay: await createPayer(running.url) };
    },
  },
  {
    of: 'recorded',
    openingBalance: 5_000_000,
    async start(shop) {
      const chain = await startRecordedChain(shop, { slotMs: SLOT_MS, openingBalance: 5_000_000 });
      return { running: chain.running, pay: (intent) => chain.play([intent], Number.MAX_SAFE_INTEGER) };
    },
  },
];

/**
 * Measures watching the payout addresses of 10,000 merchants, each with an open intent, while nobody pays: calls per
 * second, against the 20 allowed. Then customers pay some of them: how long until the payment is found. Once on the
 * sandbox chain, where the accounts do not exist yet, and once on a recorded one, where they hold money.
 */
export async function watchedAccounts(run: BenchRun): Promise<BenchResult> {
  const watched: Watched[] = [];
  for (const chain of CHAINS) watched.push(await watch(chain, run));
  const worst = watched.map(({ rounds }) => spreadOf(rounds)).sort((a, b) => a.median - b.median)[0]!;
  return {
    ratio: worst.median,
    spread: worst,
    unit: 'calls/s',
    rounds: watched.flatMap(({ rounds }) => rounds),
    extra: Object.fromEntries(watched.map(({ of, extra }) => [of, extra])),
  };
}

interface Watched {
  of: WatchedChain['of'];
  rounds: Round[];
  extra: object;
}

function watch(
  { of, openingBalance, start }: WatchedChain,
  { rounds, profileFolder, say }: BenchRun,
): Promise<Watched> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    const { running: chain, pay } = await start(shop);
    say(`${of} chain: making ${MERCHANTS} merchants`);
    const watched = await openWatchedShop(shop, {
      data,
      name: 'service',
      merchants: MERCHANTS,
      chain,
      profileFolder,
      watch: (db, merchants) => watchAll(db, merchants, openingBalance),
      env: { SOLANA_MAX_CALLS_PER_SECOND: String(CALLS_PER_SECOND), ...loopEnv(shop) },
    });
    const intents = await watched.open(MERCHANTS, { from: LIFE_SECONDS, to: LIFE_SECONDS + 1 });
    const status = watchStatus(watched, `status <> 'pending'`);
    shop.onClose(() => status.stop());
    await sleep(WARM_UP_SECONDS * 1000);

    const measured: Round[] = [];
    const methods: Record<string, number>[] = [];
    const loopDelays: { cpuMs: number; maxMs: number }[] = [];
    const delaysMs: number[] = [];
    for (let i = 0; i < rounds; i++) {
      process.kill(watched.service.pid, 'SIGUSR2');
      const { all, byMethod } = await countCalls(watched, () => sleep(REST_SECONDS * 1000));
      loopDelays.push(JSON.parse(await readFile(loopFile(shop), 'utf8')));
      measured.push({ of, ours: all, yardstick: ALLOWED_CALLS, ratio: ALLOWED_CALLS / all });
      methods.push(byMethod);
      const paid = await payAndWait(intents.splice(0, PAYMENTS), pay, status.seenAt);
      delaysMs.push(...paid);
      const p95 = percentile(paid, 95).toFixed(0);
      say(`${of}, round ${i + 1} of ${rounds}: ${all.toFixed(1)} calls/s, found within ${p95} ms at p95`);
    }
    return {
      of,
      rounds: measured,
      extra: {
        callsPerSecondByMethod: methods,
        foundAfterMs: {
          p50: percentile(delaysMs, 50),
          p95: percentile(delaysMs, 95),
          max: Math.max(...delaysMs),
          atMost: ALLOWED_MS,
        },
        loopDelays,
      },
    };
  });
}

/** Fills in what a service that has run for a while knows: the balance of every account. */
async function watchAll(db: pg.Client, merchants: readonly BenchMerchant[], balance: number): Promise<void> {
  const rows = await Promise.all(
    merchants.map(async ({ id, payoutAddress }) => ({
      id,
      destination: payoutAddress,
      account: await associatedAccount(payoutAddress, USDC_MINTS.sandbox),
    })),
  );
  await db.query(
    `insert into watched_accounts (destination, account, merchant_id, watch_since, watch_until, next_poll_at,
                                   next_rescan_at, read_through, last_read_at, proven_slot, proven_balance)
     select destination, account, id, now() - interval '10 minutes', now() + interval '30 days',
            now() + random() * interval '1 hour', now() + interval '1 day', now(), now(), 0, $2
       from json_to_recordset($1::json) as w(id uuid, destination text, account text)`,
    [JSON.stringify(rows), balance],
  );
}

/** Calls per second during `work`. */
async function countCalls(watched: WatchedShop, work: () => Promise<unknown>) {
  const before = await watched.callsByMethod();
  const startedMs = performance.now();
  await work();
  const after = await watched.callsByMethod();
  const seconds = (performance.now() - startedMs) / 1000;
  const counts = Object.entries(after).map(
    ([method, count]) => [method, (count - (before[method] ?? 0)) / seconds] as const,
  );
  const byMethod = Object.fromEntries(
    counts.filter(([, each]) => each > 0).map(([method, each]) => [method, Number(each.toFixed(2))]),
  );
  return { all: counts.reduce((sum, [, each]) => sum + each, 0), byMethod };
}

/** Milliseconds from the moment the node has taken a payment to the moment the intent shows it. */
async function payAndWait(
  intents: readonly ToPay[],
  pay: (intent: ToPay) => Promise<unknown>,
  seenAt: (id: string) => Promise<number>,
): Promise<number[]> {
  const delays: Promise<number>[] = [];
  for (const intent of intents) {
    const seen = Promise.race([
      seenAt(intent.id),
      sleep(GIVE_UP_MS, Number.POSITIVE_INFINITY, { ref: false }),
    ]);
    const sent = pay(intent).then(() => performance.now());
    delays.push(
      Promise.all([seen, sent]).then(([seenMs, sentMs]) =>
        Math.min(GIVE_UP_MS, Math.max(0, seenMs - sentMs)),
      ),
    );
    await sleep(PAY_EVERY_MS);
  }
  return Promise.all(delays);
}

const loopFile = (shop: Workshop) => join(shop.folder, 'loop.json');

function loopEnv(shop: Workshop): Record<string, string> {
  return {
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'loop-delay.ts')}`,
    LOOP_DELAY_FILE: loopFile(shop),
  };
}
