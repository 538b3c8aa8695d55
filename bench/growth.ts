import { join } from 'node:path';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import { newReferenceAddress } from '../src/platform/lib/base58.ts';
import { firstIdAt } from '../src/platform/lib/ids.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { createDatabase } from './create-database.ts';
import { fillIntents, sampleIntents } from './fill-intents.ts';
import { measureRound, type Round, type Sides, spreadOf } from './rounds.ts';
import { runWrk, type WrkResult } from './tools.ts';
import { newSeed, type Workshop, withWorkshop } from './workshop.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const LARGE_FULL = 10_000_000;
const MERCHANTS = 50;
const SAMPLE = 20_000;
const CONNECTIONS = 64;
/** Short, because the small database must not grow much while it is measured. */
const SECONDS_EACH = 4;
const LATENCY_SECONDS = 3;

/** Measures a hundred times the rows: creates and reads per second with many rows ÷ with few. */
export function growth({ rounds, full, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    const rows = full ? LARGE_FULL : LARGE;
    say(`filling ${rows.toLocaleString('en')} rows`);
    const small = await openShop(shop, data, 'small', SMALL);
    const large = await openShop(shop, data, 'large', rows);
    say('measuring');

    const sides: Sides[] = [
      { of: 'create', ours: large.create, yardstick: small.create },
      { of: 'read', ours: large.read, yardstick: small.read },
    ];
    const measured: Round[] = [];
    for (let i = -1; i < rounds; i++) {
      await small.refill();
      for (const side of sides) {
        const round = await measureRound(side, SECONDS_EACH);
        say(`${i < 0 ? 'warm-up' : `round ${i + 1} of ${rounds}`}: ${side.of} ${round.ratio.toFixed(2)}`);
        if (i >= 0) measured.push(round);
      }
    }
    const spreads = sides.map((side) => spreadOf(measured.filter((round) => round.of === side.of)));
    const worst = spreads.sort((a, b) => a.median - b.median)[0]!;
    return {
      ratio: worst.median,
      spread: worst,
      unit: 'requests/s',
      rounds: measured,
      extra: { rows, latencyMs: { small: await small.latencies(), large: await large.latencies() } },
    };
  });
}

interface FilledShop {
  create(seconds: number): Promise<number>;
  read(seconds: number): Promise<number>;
  /** Back to as many rows as at first. */
  refill(): Promise<void>;
  latencies(): Promise<Record<string, Omit<WrkResult, 'requestsPerSecond'>>>;
}

/** A database of its own on the shared server, with a past, and a service process on it. */
async function openShop(shop: Workshop, data: string, database: string, count: number): Promise<FilledShop> {
  const { merchants, env } = await createDatabase(
    shop,
    data,
    database,
    Array.from({ length: MERCHANTS }, newReferenceAddress),
  );
  const merchantIds = merchants.map((merchant) => merchant.id);
  const db = await shop.connect(data, database);
  await fillIntents(db, merchantIds, count);
  const service = await shop.startService({ name: database, env });
  const get = async (file: string, connections: number, seconds: number) =>
    runWrk({ url: service.url, script: 'get.lua', args: [file, newSeed()], connections, seconds });
  const writeSample = async () => {
    const sample = await sampleIntents(db, merchantIds, SAMPLE);
    return shop.writeRequests(
      `${database}-intents.txt`,
      sample.map(({ id, merchant }) => ({
        key: merchants[merchant]!.key,
        path: `/api/merchants/intents/${id}`,
      })),
    );
  };
  const sampleFile = await writeSample();

  return {
    async create(seconds) {
      const key = merchants[Math.floor(Math.random() * MERCHANTS)]!.key;
      const args = [key, newSeed()];
      const run = { url: service.url, script: 'create-intent.lua' as const, args };
      return (await runWrk({ ...run, connections: CONNECTIONS, seconds })).requestsPerSecond;
    },
    read: async (seconds) => (await get(sampleFile, CONNECTIONS, seconds)).requestsPerSecond,
    async refill() {
      // Some of the tables that hang on these refuse to be emptied.
      await db.query('set session_replication_role = replica');
      await db.query('truncate payment_intents, idempotency_keys cascade');
      await fillIntents(db, merchantIds, count);
      await writeSample();
    },
    async latencies() {
      const monthAgo = firstIdAt(new Date(Date.now() - 30 * 86_400_000));
      const paths = {
        stats: '/api/b2b/merchants/stats',
        firstPage: '/api/merchants/intents',
        deepPage: `/api/merchants/intents?cursor=${Buffer.from(monthAgo.replaceAll('-', ''), 'hex').toString('base64url')}`,
      };
      const found: Record<string, Omit<WrkResult, 'requestsPerSecond'>> = {};
      for (const [name, path] of Object.entries(paths)) {
        const file = await shop.writeRequests(
          `${database}-${name}.txt`,
          merchants.map(({ key }) => ({ key, path })),
        );
        const { p50Ms, p99Ms } = await get(file, 1, LATENCY_SECONDS);
        found[name] = { p50Ms, p99Ms };
      }
      return found;
    },
  };
}
