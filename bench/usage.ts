import { join } from 'node:path';
import type { BenchResult, BenchRun } from './bench.ts';
import { alternate, spreadOf } from './rounds.ts';
import { runPgbench, runWrk } from './tools.ts';
import { demoKey, newSeed, socketFolder, withWorkshop } from './workshop.ts';

const CONNECTIONS = 64;
const PGBENCH_CONNECTIONS = 16;
const SECONDS_EACH = 8;
const BATCH = { records: 1_000, connections: 4, rounds: 4, secondsEach: 8, atLeast: 6 };

/**
 * Usage records per second over HTTP, one in each request, against pgbench writing the same rows into the same table
 * with one statement each. Then the same with 1,000 records in each request.
 */
export function usage({ rounds, profileFolder, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const service = await shop.startService({ name: 'service', env: { FLORIN_DATA: data }, profileFolder });
    const key = demoKey(service);
    const db = await shop.connect(data);
    const { rows } = await db.query(MAKE_CUSTOMER);
    const [{ merchant, project, customer }] = rows;
    await db.query('checkpoint');

    const record = async (records: number, connections: number, seconds: number) => {
      const args = [key, newSeed(), project, customer, String(records)];
      const result = await runWrk({ url: service.url, script: 'usage.lua', args, connections, seconds });
      return result.requestsPerSecond * records;
    };
    const yardstick = (seconds: number) =>
      runPgbench({
        socketFolder: socketFolder(data),
        database: 'florin',
        script: 'usage.sql',
        variables: { merchant, project, customer },
        connections: PGBENCH_CONNECTIONS,
        seconds,
      });
    const single = await alternate(
      { ours: (seconds) => record(1, CONNECTIONS, seconds), yardstick },
      { rounds, secondsEach: SECONDS_EACH },
      say,
    );
    const { records, connections, atLeast, ...timing } = BATCH;
    const batch = await alternate(
      { of: `batches of ${records}`, ours: (seconds) => record(records, connections, seconds), yardstick },
      timing,
      say,
    );
    const spread = spreadOf(single);
    return {
      ratio: spread.median,
      spread,
      unit: 'records/s',
      rounds: single,
      extra: { batch: { ...spreadOf(batch), atLeast, rounds: batch } },
    };
  });
}

const MAKE_CUSTOMER = `
  with project as (
    insert into projects (merchant_id, id, name, created_at, updated_at)
    select id, uuidv7(), 'bench', now(), now() from merchants
    returning merchant_id, id
  )
  insert into customers (merchant_id, id, project_id, created_at)
  select merchant_id, uuidv7(), id, now() from project
  returning merchant_id as merchant, project_id as project, id as customer`;
