import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import { newReferenceAddress } from '../src/platform/lib/base58.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { createDatabase } from './create-database.ts';
import { BODY, dropWaiting, listDelaysMs, waitUntilDelivered, writeEvents } from './outbox.ts';
import { alternate, percentile, spreadOf } from './rounds.ts';
import { withWorkshop } from './workshop.ts';

const MERCHANTS = 20;
const EVENTS = 10_000;
/** The service begins with eight for each merchant. */
const AT_ONCE = 8 * MERCHANTS;
const HANGING_EVENTS = 10_000;
const SECONDS_EACH = 10;
const WRITE_EVERY_MS = 50;
const PER_SECOND = 200;

/**
 * Events per second from the outbox to a recorded delivery, against a bare loop of signed POSTs to the same receiver
 * with as many under way. Then what 10,000 events of a merchant whose endpoint hangs do to the others' delay.
 */
export function webhooks({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    const hangers = 2 * (rounds + 1);
    const addresses = Array.from({ length: MERCHANTS + hangers }, () => newReferenceAddress());
    const { merchants, env } = await createDatabase(shop, data, 'shop', addresses);
    const ids = merchants.map(({ id }) => id);
    const healthy = ids.slice(0, MERCHANTS);
    const receiver = await shop.startYardstick('receiver.ts', { name: 'receiver' });
    const db = await shop.connect(data, 'shop');
    await db.query('update merchants set webhook_url = $1', [`${receiver.url}/hang`]);
    await db.query('update merchants set webhook_url = $1 where id = any($2)', [
      `${receiver.url}/ok`,
      healthy,
    ]);
    await shop.startService({ name: 'service', env, profileFolder });
    const bare = await shop.startYardstick('signed-posts.ts', {
      name: 'signed-posts',
      env: { RECEIVER: receiver.url, SECRET: 'whsec_0123456789abcdef0123456789abcdef', BODY },
    });

    const measured = await alternate(
      {
        ours: () => deliver(db, healthy),
        yardstick: () => read(`${bare.url}/?count=${EVENTS}&atOnce=${AT_ONCE}`),
      },
      { rounds, secondsEach: SECONDS_EACH },
      say,
    );

    const waitingHangers = ids.slice(MERCHANTS);
    const delays = await alternate(
      {
        of: 'delay, p95 ms',
        // Ours ÷ yardstick is how much better the quiet time is: 1 when hanging events change nothing.
        ours: (seconds) => delayP95(db, healthy, seconds),
        async yardstick(seconds) {
          const hanger = waitingHangers.shift()!;
          const p95 = await delayP95(db, healthy, seconds, () => writeEvents(db, [hanger], HANGING_EVENTS));
          await dropWaiting(db, hanger);
          await fetch(`${receiver.url}/release`);
          return p95;
        },
      },
      { rounds, secondsEach: SECONDS_EACH },
      say,
    );
    const spread = spreadOf(measured);
    return {
      ratio: spread.median,
      spread,
      unit: 'events/s',
      rounds: measured,
      extra: { quietOverHanging: { ...spreadOf(delays), atLeast: 1 / 1.2, rounds: delays } },
    };
  });
}

async function read(url: string): Promise<number> {
  return Number(await (await fetch(url)).text());
}

async function deliver(db: pg.Client, merchantIds: readonly string[]): Promise<number> {
  await writeEvents(db, merchantIds, EVENTS);
  const startedMs = performance.now();
  await waitUntilDelivered(db, merchantIds);
  return (EVENTS / (performance.now() - startedMs)) * 1000;
}

/** The delay that 95 % of a steady stream of events stay below, while `meanwhile` happens at the start. */
async function delayP95(
  db: pg.Client,
  merchantIds: readonly string[],
  seconds: number,
  meanwhile?: () => Promise<void>,
): Promise<number> {
  const { rows } = await db.query('select clock_timestamp() as now');
  await meanwhile?.();
  const startedMs = performance.now();
  for (let i = 1; i * WRITE_EVERY_MS <= seconds * 1000; i++) {
    await writeEvents(db, merchantIds, (PER_SECOND * WRITE_EVERY_MS) / 1000);
    await sleep(Math.max(0, startedMs + i * WRITE_EVERY_MS - performance.now()));
  }
  await waitUntilDelivered(db, merchantIds);
  return percentile(await listDelaysMs(db, merchantIds, rows[0].now), 95);
}
