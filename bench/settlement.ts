import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { startRecordedChain } from './recorded-chain.ts';
import { type Round, spreadOf } from './rounds.ts';
import { openWatchedShop } from './watched-shop.ts';
import { withWorkshop } from './workshop.ts';

const MERCHANTS = 20;
const SLOT_MS = 100;
const PER_SECOND = 200;
const WARM_UP_SECONDS = 15;
const ROUND_SECONDS = 20;
const BURST = 4_000;
const LIFE_SECONDS = { from: 3_600, to: 3_600 };
const LOOK_MS = 50;

/**
 * Payments settled per second, from the chain to `succeeded`, against those that become final in the same time: 200
 * a second. The chain is a recorded one, because a real runtime and the wallets would take the processors for
 * themselves. Then a burst that lands all at once.
 */
export function settlement({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const chain = await startRecordedChain(shop, { slotMs: SLOT_MS });
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    const spec = { data, name: 'shop', merchants: MERCHANTS, chain: chain.running, profileFolder };
    const watched = await openWatchedShop(shop, spec);
    const count = async () => {
      const final = await chain.ask('bench_final');
      const { rows } = await watched.db.query(
        `select count(*)::int as settled from payment_intents where status = 'succeeded'`,
      );
      return { final, settled: rows[0].settled as number, ms: performance.now() };
    };

    const seconds = WARM_UP_SECONDS + rounds * ROUND_SECONDS + 2;
    const steady = await watched.open(seconds * PER_SECOND, LIFE_SECONDS);
    await chain.play(steady, PER_SECOND);
    say('warm-up');
    await sleep(WARM_UP_SECONDS * 1000);
    const measured: Round[] = [];
    const backlogs: number[] = [];
    let before = await count();
    for (let i = 1; i <= rounds; i++) {
      await sleep(ROUND_SECONDS * 1000);
      const now = await count();
      const each = 1000 / (now.ms - before.ms);
      const ours = (now.settled - before.settled) * each;
      const yardstick = (now.final - before.final) * each;
      measured.push({ ours, yardstick, ratio: ours / yardstick });
      backlogs.push(now.final - now.settled);
      before = now;
      say(`round ${i} of ${rounds}: ${ours.toFixed(0)} settled/s, ${now.final - now.settled} behind`);
    }
    const drainSeconds = await secondsUntil(async () => (await count()).settled >= steady.length);
    say(`all settled ${drainSeconds.toFixed(1)} s later`);

    const burst = await watched.open(BURST, LIFE_SECONDS);
    await chain.play(burst, Number.MAX_SAFE_INTEGER);
    const burstSeconds = await secondsUntil(async () => (await count()).settled >= steady.length + BURST);
    const spread = spreadOf(measured);
    return {
      ratio: spread.median,
      spread,
      unit: 'payments/s',
      rounds: measured,
      extra: { backlogs, drainSeconds, burst: { payments: BURST, seconds: burstSeconds } },
    };
  });
}

async function secondsUntil(isDone: () => Promise<boolean>): Promise<number> {
  const startedMs = performance.now();
  while (!(await isDone())) await sleep(LOOK_MS);
  return (performance.now() - startedMs) / 1000;
}
