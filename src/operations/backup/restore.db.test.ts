import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { backupOf, inPieces, rewritten, withHeader } from '../../../test/support/backups.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { withNextMigrations } from '../../../test/support/next-migrations.ts';
import {
  fillTables,
  insertAuditEntries,
  insertMerchants,
  listFilledTables,
  readTables,
} from '../../../test/support/rows.ts';
import type { Database } from '../../platform/db/database.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { readMigrations } from '../../platform/db/migrations.ts';
import { restore } from './restore.ts';

const last = (await readMigrations()).length;

const emptyDatabase = () => testDatabase({ template: 'template0' });

const FIRST = '01900000-0000-7000-8000-0000000000ff';

const source = await testDatabase();
await fillTables(source);
const before = await readTables(source);
const file = await backupOf(source);

function unpacked(file: Buffer): Buffer | undefined {
  try {
    return gunzipSync(file);
  } catch {
    return undefined;
  }
}

/** Fails with `reason`, leaves no row behind, and does not block a good file. */
async function expectRefused(db: Database, refused: Buffer, reason: string | RegExp): Promise<void> {
  await expect(restore(db, inPieces(refused))).rejects.toThrow(reason);
  expect(await listFilledTables(db)).toEqual([]);
}

async function expectRestored(db: Database): Promise<void> {
  await restore(db, inPieces(file));
  expect(await readTables(db)).toEqual(before);
}

/** All positions at both ends, and some in between. */
function positionsIn(bytes: Buffer): number[] {
  const step = Math.ceil(bytes.length / 40);
  return [...bytes.keys()].filter((i) => i < 16 || i >= bytes.length - 16 || i % step === 0);
}

const replaced = (from: string, to: string) =>
  rewritten(file, (plain) => {
    const text = plain.toString('latin1');
    expect(text).toContain(from);
    return Buffer.from(text.replace(from, to), 'latin1');
  });

describe('a damaged backup is refused and nothing of it stays', async () => {
  // One for many: what was refused leaves it as empty as it was.
  const refusing = await emptyDatabase();

  test('cut short anywhere', async () => {
    const db = await emptyDatabase();
    for (const cut of positionsIn(file)) await expectRefused(db, file.subarray(0, cut), /cut short/);
    await expectRestored(db);
  });

  test('cut short anywhere, then packed again', async () => {
    const db = await emptyDatabase();
    const short = (cut: number) => rewritten(file, (plain) => plain.subarray(0, cut));
    for (const cut of positionsIn(gunzipSync(file))) {
      await expectRefused(db, short(cut), 'the backup is cut short');
    }
    await expectRestored(db);
  });

  test('one byte is another', async () => {
    const db = await emptyDatabase();
    const contents = gunzipSync(file);
    for (const i of positionsIn(file)) {
      const flipped = Buffer.from(file);
      flipped[i] = ~flipped[i]!;
      // A byte may say the same in another way: a header's time, or an earlier place of a text that is repeated.
      if (unpacked(flipped)?.equals(contents)) continue;
      await expectRefused(db, flipped, /./);
    }
    await expectRestored(db);
  });

  test.each([
    ['a value is another', 'https://shop', 'https://chop', 'merchants holds other bytes than were written'],
    ['a sum is another', '"bytes":', '"bytes":1', 'holds other bytes than were written'],
    [
      'a count is another',
      '"merchants","rows":2',
      '"merchants","rows":3',
      'the backup has 3 rows of merchants, but 2 arrived',
    ],
    [
      'the sums are of another table',
      '{"table":"merchants","rows"',
      '{"table":"x","rows"',
      'holds other bytes',
    ],
    [
      'a table is twice there',
      '{"table":"merchants","columns"',
      '{"table":"installation","columns"',
      'installation',
    ],
    [
      'a table is not ours',
      '{"table":"merchants"',
      '{"table":"pg_authid"',
      'does not belong here: pg_authid',
    ],
    [
      'a column is not ours',
      '"sealed_check"',
      '"sealed\\"--"',
      'columns that installation does not: sealed"--',
    ],
    ['the end counts more tables', '{"tables":', '{"tables":1', 'the backup lacks tables'],
    [
      'a line is no JSON',
      '{"table":"merchants"',
      '{"table":merchants',
      'this is not a Florin backup, or it is damaged',
    ],
  ])('%s', async (_, from, to, reason) => {
    await expectRefused(refusing, replaced(from, to), reason);
  });

  test('a table is missing, and the end agrees', async () => {
    const without = rewritten(file, (plain) => {
      const start = plain.indexOf('{"table":"audit_entries","columns"');
      const sums = plain.indexOf('{"table":"audit_entries","rows"');
      const rest = plain.subarray(plain.indexOf('\n', sums) + 1).toString('latin1');
      const tables = Object.keys(before).length;
      return Buffer.concat([
        plain.subarray(0, start),
        Buffer.from(rest.replace(`{"tables":${tables}`, `{"tables":${tables - 1}`), 'latin1'),
      ]);
    });
    await expectRefused(refusing, without, 'the backup lacks tables');
  });

  test('there is more after its end', async () => {
    await expectRefused(refusing, Buffer.concat([file, file]), 'the backup has data after its end');
  });

  test('its reading fails', async () => {
    const input = Readable.from(
      (async function* () {
        yield file.subarray(0, 500);
        throw new Error('EIO: the disk is broken');
      })(),
    );
    await expect(restore(await emptyDatabase(), input)).rejects.toThrow('EIO: the disk is broken');
  });

  test.each([
    [
      'in the middle',
      'audit_entries',
      `insert into audit_entries (merchant_id, id, actor, action) values (gen_random_uuid(), gen_random_uuid(), 'a', 'b')`,
    ],
    ['at the very end', 'terminals', 'update terminals set current_intent_id = gen_random_uuid()'],
  ])('a row points nowhere, which shows %s', async (_, table, change) => {
    const broken = await testDatabase();
    await fillTables(broken);
    const keys = await broken.query<{ name: string }>(
      `select conname as name from pg_constraint where conrelid = '${table}'::regclass and contype = 'f'`,
    );
    for (const { name } of keys) await broken.query(`alter table ${table} drop constraint ${name}`);
    await broken.query(`alter table ${table} alter created_at set default now()`);
    await broken.query(change);
    const db = await emptyDatabase();
    await expectRefused(db, await backupOf(broken), 'violates foreign key constraint');
    await expectRestored(db);
  });
});

describe('what does not fit is refused before anything is changed', () => {
  test.each([
    ['another file', gzipSync('{"name":"something"}\n'), 'this is not a Florin backup'],
    ['a file without lines', gzipSync(Buffer.alloc(3_000_000)), 'this is not a Florin backup'],
    ['a newer format', withHeader(file, { version: 2 }), 'format version 2, this release reads 1'],
    [
      'one of other beginnings',
      withHeader(file, { schema: 134, firstMigration: undefined }),
      'the backup was made by a version before 0.1.0, whose data cannot be carried over',
    ],
    [
      'a newer schema',
      withHeader(file, { schema: last + 1 }),
      `at schema ${last + 1}, this release knows ${last}`,
    ],
  ])('%s', async (_, refused, reason) => {
    const db = await emptyDatabase();
    await expect(restore(db, inPieces(refused))).rejects.toThrow(reason);
    expect(await db.query(`select to_regclass('schema_migrations') as name`)).toEqual([{ name: null }]);
  });

  test('a database with merchants', async () => {
    const db = await emptyDatabase();
    await migrate(db, 1);
    await insertMerchants(db, 1);
    const mine = await readTables(db);
    await expect(restore(db, inPieces(file))).rejects.toThrow('this database already has merchants');
    expect(await readTables(db)).toEqual(mine);
    expect(await db.query('select number from schema_migrations')).toEqual([{ number: 1 }]);
  });

  test('a database that gets its first merchant at the last moment', async () => {
    const db = await testDatabase();
    const writing = Promise.withResolvers<void>();
    const restoring = Promise.withResolvers<void>();
    const first = db.transaction(async (tx) => {
      await tx.query(`insert into merchants (id, webhook_secret, created_at) values ($1, '', now())`, [
        FIRST,
      ]);
      writing.resolve();
      await restoring.promise;
    });
    await writing.promise;
    const refused = expect(restore(db, inPieces(file))).rejects.toThrow(
      'this database already has merchants',
    );
    const locked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await db.query(locked)).length === 0) await sleep(10);
    restoring.resolve();
    await first;
    await refused;
    expect(await db.query('select id from merchants')).toEqual([{ id: FIRST }]);
  });

  test('a database that is further than the backup', async () => {
    const db = await testDatabase();
    await migrate(db, undefined, { migrations: withNextMigrations.slice(0, last + 1) });
    await expectRefused(
      db,
      file,
      `the backup is at schema ${last}, the database already at ${last + 1}: restore into a new one`,
    );
  });
});

test('what a first start wrote gives way', async () => {
  const db = await testDatabase();
  await db.query(
    `insert into installation (network, sealed_check, created_at) values ('sandbox', '', now())`,
  );
  await expectRestored(db);
});

test('sequences go on where they were', async () => {
  const plant = 'create table numbered (id integer generated always as identity, note text)';
  const insert = `insert into numbered (note) values ('a'), ('b') returning id`;
  const [from, to] = [await testDatabase(), await testDatabase()];
  for (const db of [from, to]) await db.query(plant);
  await from.query(insert);
  await restore(to, inPieces(await backupOf(from)));
  expect(await to.query(insert)).toEqual([{ id: 3 }, { id: 4 }]);
});

test('a server that is slow to load slows the reading', async () => {
  const big = await testDatabase();
  await insertMerchants(big, 1);
  await insertAuditEntries(big, 100_000);
  const bytes = await backupOf(big);
  const pieces = Array.from({ length: 100 }, (_, i) =>
    bytes.subarray((i * bytes.length) / 100, ((i + 1) * bytes.length) / 100),
  );
  let taken = 0;
  const input = Readable.from(
    (function* () {
      for (const piece of pieces) {
        taken++;
        yield piece;
      }
    })(),
    { highWaterMark: 1 },
  );

  const db = await testDatabase();
  await db.query(`create function wait_for_test() returns boolean language plpgsql as
    'begin perform pg_advisory_xact_lock_shared(1); return true; end'`);
  await db.query('alter table audit_entries add constraint wait check (wait_for_test())');
  await db.withConnection(async (blocker) => {
    await blocker.query('select pg_advisory_lock(1)');
    const running = restore(db, input);
    for (let still = 0, seen = -1; still < 20; seen = taken) {
      const waiting = await db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
      );
      still = waiting.length > 0 && seen === taken ? still + 1 : 0;
      await sleep(10);
    }
    expect(taken).toBeLessThan(50);
    await blocker.query('select pg_advisory_unlock(1)');
    expect((await running).rows).toBe(100_002);
  });
  expect(taken).toBe(100);
});
