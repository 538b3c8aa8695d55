import { join } from 'node:path';
import type { BenchResult, BenchRun } from './bench.ts';
import { alternate, spreadOf } from './rounds.ts';
import { runPgbench, runWrk } from './tools.ts';
import { demoKey, newSeed, socketFolder, withWorkshop } from './workshop.ts';

const CONNECTIONS = 64;
const PGBENCH_CONNECTIONS = 16;
const SECONDS_EACH = 8;
const LATENCY_TIMING = { rounds: 4, secondsEach: 4 };

/**
 * Intents created per second over HTTP, against pgbench writing the same rows into the same tables with one
 * statement each. Then, with one caller only, how long a create takes against a bare route with one insert.
 */
export function createIntent({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const service = await shop.startService({ name: 'service', env: { FLORIN_DATA: data }, profileFolder });
    const key = demoKey(service);
    const db = await shop.connect(data);
    const example = await createOne(service.url, key);
    const { rows } = await db.query('select id, payout_address from merchants');
    const [{ id: merchant, payoutAddress: destination }] = rows;
    const unkeyed = await countUnkeyed(db);
    await db.query('checkpoint');

    const create = (url: string, connections: number, seconds: number) =>
      runWrk({ url, script: 'create-intent.lua', args: [key, newSeed()], connections, seconds });
    const measured = await alternate(
      {
        ours: async (seconds) => (await create(service.url, CONNECTIONS, seconds)).requestsPerSecond,
        yardstick: (seconds) =>
          runPgbench({
            socketFolder: socketFolder(data),
            database: 'florin',
            script: 'create-intent.sql',
            variables: { merchant, destination, answer: example },
            connections: PGBENCH_CONNECTIONS,
            seconds,
          }),
      },
      { rounds, secondsEach: SECONDS_EACH },
      say,
    );
    if ((await countUnkeyed(db)) !== unkeyed) throw new Error('not every intent was written with its key');

    const bare = await shop.startYardstick('one-insert.ts', {
      name: 'one-insert',
      env: { SOCKET_FOLDER: socketFolder(data), MERCHANT_ID: merchant, DESTINATION: destination },
    });
    const latency = await alternate(
      {
        of: 'latency, ms',
        ours: async (seconds) => (await create(service.url, 1, seconds)).p50Ms,
        yardstick: async (seconds) => (await create(bare.url, 1, seconds)).p50Ms,
      },
      LATENCY_TIMING,
      say,
    );
    const spread = spreadOf(measured);
    return {
      ratio: spread.median,
      spread,
      unit: 'intents/s',
      rounds: measured,
      extra: { latency: { ...spreadOf(latency), atMost: 1.3, rounds: latency } },
    };
  });
}

async function createOne(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/api/merchants/intents`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ amountCents: 54_321, orderId: 'order-1f2e3d4c-12345' }),
  });
  if (response.status !== 200) throw new Error(`the first intent failed: ${await response.text()}`);
  return response.text();
}

/** Counts intents without a key: a fresh sandbox shows one; the race is only fair if it adds none. */
async function countUnkeyed(db: Rows): Promise<number> {
  const { rows } = await db.query(
    `select (select count(*) from payment_intents)::int as intents,
            (select count(*) from idempotency_keys)::int as keys`,
  );
  return rows[0]!.intents - rows[0]!.keys;
}

interface Rows {
  query(text: string): Promise<{ rows: { intents: number; keys: number }[] }>;
}
