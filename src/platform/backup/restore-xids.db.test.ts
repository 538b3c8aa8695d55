import { expect, test } from 'vitest';
import { backupOf, inPieces, withHeader } from '../../../test/support/backups.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { insertMerchants } from '../../../test/support/rows.ts';
import type { Database } from '../db/database.ts';
import { restore } from './restore.ts';

const EVENTS = 100;

test('ids stay as they are when this cluster can count up to them', async () => {
  const now = await currentXid();
  const busier = await databaseWithEvents(now + 20_000n);
  const db = await restoredFrom(busier, now + 20_000n + BigInt(EVENTS) + 1n);
  expect(await listInOrder(db)).toEqual(await listInOrder(busier));
  await expectAllPast(db);
});

test('ids too far ahead move down in order, and those of long ago meet at 1', async () => {
  const busier = await databaseWithEvents(5_000_000_000n);
  await insertEvents(busier, 7n, 7n, EVENTS + 1);
  const db = await restoredFrom(busier, 5_000_000_000n + BigInt(EVENTS) + 1n);
  const events = await listInOrder(db);
  expect(events.map(({ id }) => id)).toEqual((await listInOrder(busier)).map(({ id }) => id));
  expect(new Set(events.map(({ by }) => by)).size).toBe(EVENTS + 1);
  expect(events[0]!.by).toBe('1');
  await expectAllPast(db);
});

async function currentXid(): Promise<bigint> {
  const db = await testDatabase();
  const [row] = await db.query<{ xid: bigint }>('select pg_current_xact_id()::text::numeric as xid');
  return row!.xid;
}

async function databaseWithEvents(firstXid: bigint): Promise<Database> {
  const db = await testDatabase();
  await insertMerchants(db, 1);
  await insertEvents(db, firstXid + 1n, firstXid + BigInt(EVENTS), 1);
  return db;
}

/** One event for each transaction; their order by transaction is the reverse of that by id. */
async function insertEvents(db: Database, fromXid: bigint, toXid: bigint, sequence: number): Promise<void> {
  await db.query(
    `insert into events (merchant_id, id, written_by, event, object_type, object_id, sequence, status, ordering_key, body, created_at)
     select m.id, lpad((9999999999 - xid)::text, 32, '0')::uuid, xid::text::xid8,
            'e', 'o', m.id, $3 + xid - $1, 's', m.id, '', now()
       from merchants m, generate_series($1::bigint, $2::bigint) xid`,
    [fromXid, toXid, sequence],
  );
}

/** Restores a backup as if it came from a cluster whose next transaction is `nextXid`. */
async function restoredFrom(source: Database, nextXid: bigint): Promise<Database> {
  const db = await testDatabase({ template: 'template0' });
  await restore(db, inPieces(withHeader(await backupOf(source), { nextXid: String(nextXid) })));
  return db;
}

function listInOrder(db: Database) {
  return db.query<{ id: string; by: string }>(
    'select id, written_by::text as by from events order by written_by, id',
  );
}

/** What a reader that stops below the oldest running transaction would hold back. */
async function expectAllPast(db: Database): Promise<void> {
  expect(await db.query('select from events where written_by >= (select pg_current_xact_id())')).toEqual([]);
}
