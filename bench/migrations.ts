import { join } from 'node:path';
import type pg from 'pg';
import { openDatabase } from '../src/platform/db/database.ts';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import { type MeasuredMigration, measureMigrations } from '../src/platform/db/measure-migrations.ts';
import { parseMigration, readMigrations } from '../src/platform/db/migrations.ts';
import { newReferenceAddress } from '../src/platform/lib/base58.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { createDatabase } from './create-database.ts';
import { fillIntents } from './fill-intents.ts';
import { type Round, spreadOf } from './rounds.ts';
import { socketFolder, withWorkshop } from './workshop.ts';

const ROWS = 1_000_000;
const MERCHANTS = 50;
const ALLOWED_MS = 1_000;

const ALONE = '-- @expands\n-- @each-statement-alone\n';

/** One of each kind that the rules allow, on the largest table, in the order in which a release would have them. */
const ALLOWED: Record<string, string> = {
  'add columns and a constraint': `-- @expands
    alter table payment_intents add column colour text, add column shade integer not null default 1;
    alter table payment_intents add constraint colour_check check (char_length(colour) < 100) not valid`,
  'create an index': `${ALONE}create index concurrently payment_intents_uncoloured on payment_intents (merchant_id, id) where colour is null`,
  'validate the constraint': `${ALONE}alter table payment_intents validate constraint colour_check`,
  'fill a column': `-- @expands\n-- @in-batches
    update payment_intents i set colour = 'red' from (
      select merchant_id, id from payment_intents where colour is null limit 1000) as few
     where i.merchant_id = few.merchant_id and i.id = few.id`,
};

/** Statements that the rules refuse, measured to show what the rules are good for. */
const REFUSED: Record<string, string> = {
  'create an index, refused':
    'create index payment_intents_by_shade on payment_intents (merchant_id, expires_at)',
  'add a constraint, refused':
    'alter table payment_intents add constraint shade_check check (char_length(order_id) < 300)',
  'add a column with a check, refused':
    'alter table payment_intents add column tone text check (char_length(tone) < 100)',
  'add a random value, refused':
    'alter table payment_intents add column token uuid not null default gen_random_uuid()',
};

/** Measures how long a writer to a table of 1,000,000 rows waits while it is migrated; the yardstick is a second. */
export function migrations({ say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    const addresses = Array.from({ length: MERCHANTS }, newReferenceAddress);
    const { merchants } = await createDatabase(shop, data, 'large', addresses);
    say(`filling ${ROWS.toLocaleString('en')} rows`);
    const ids = merchants.map(({ id }) => id);
    const writer = await shop.connect(data, 'large');
    await fillIntents(writer, ids, ROWS);
    const db = openDatabase({ connection: { host: socketFolder(data), user: 'florin', database: 'large' } });
    shop.onClose(() => db.close());

    const measured: Round[] = [];
    const waits: Record<string, object> = {};
    const files = Object.entries({ ...ALLOWED, ...REFUSED });
    const known = await readMigrations();
    const all = [
      ...known,
      ...files.map(([, sql], i) => parseMigration(known.length + 1 + i, `kind_${i}`, sql)),
    ];
    for (const [i, [of]] of files.entries()) {
      const { migration, ...writes } = await besideWrites(writer, () =>
        measureMigrations(db, all.slice(0, known.length + 1 + i)),
      );
      const slowestMs = writes.slowestMs();
      const heldMs = Math.max(0, ...migration!.locks.map((lock) => lock.heldMs));
      say(
        `${of}: ${migration!.durationMs} ms, locks held for ${heldMs} ms, the slowest write ${slowestMs} ms`,
      );
      waits[of] = { durationMs: migration!.durationMs, heldMs, slowestWriteMs: slowestMs };
      const isAllowed = of in ALLOWED;
      if (isAllowed)
        measured.push({ of, ours: slowestMs, yardstick: ALLOWED_MS, ratio: ALLOWED_MS / slowestMs });
    }
    const worst = Math.min(...measured.map(({ ratio }) => ratio));
    return {
      ratio: worst,
      spread: spreadOf(measured),
      unit: 'ms',
      rounds: measured,
      extra: { rows: ROWS, waits },
    };
  });
}

/** Somebody writes to the table again and again meanwhile. */
async function besideWrites(writer: pg.Client, work: () => Promise<MeasuredMigration[]>) {
  let slowestMs = 0;
  let isOver = false;
  const write = async () => {
    const startedMs = performance.now();
    await writer.query(
      `update payment_intents set sequence = sequence
        where (merchant_id, id) = (select merchant_id, id from payment_intents limit 1)`,
    );
    slowestMs = Math.max(slowestMs, Math.ceil(performance.now() - startedMs));
  };
  await write();
  const writing = (async () => {
    while (!isOver) await write();
  })();
  try {
    const [migration] = await work();
    return { migration, slowestMs: () => slowestMs };
  } finally {
    isOver = true;
    await writing;
  }
}
