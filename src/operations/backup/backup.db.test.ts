import { once } from 'node:events';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BACKUP_AT, backupOf, heldOutput, inPieces } from '../../../test/support/backups.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { NEXT_ROWS, withNextMigrations } from '../../../test/support/next-migrations.ts';
import { fillTables, insertAuditEntries, insertMerchants, readTables } from '../../../test/support/rows.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { isLockTimeout } from '../../platform/db/database-errors.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { readMigrations } from '../../platform/db/migrations.ts';
import { dumpSchema } from '../../platform/db/schema-dump.ts';
import { copyOut } from '../table-file/copy-rows.ts';
import type { Progress } from '../table-file/format.ts';
import { backup } from './backup.ts';
import { restore } from './restore.ts';

const emptyDatabase = () => testDatabase({ template: 'template0' });

/**
 * A column without a value in any row comes back right whatever happens to it. These are all there are: a new column gets a
 * value in test/support/rows.ts, and one that has got one leaves the list.
 */
const UNFILLED = [
  ...['api_keys.name', 'api_keys.expires_at', 'api_keys.revoked_at', 'api_keys.last_used_at'],
  ...[
    'audit_entries.target_id',
    'events.previous_status',
    'idempotency_keys.resource_id',
    'passkeys.last_used_at',
  ],
  ...['emails.member_id', 'emails.refund_id'],
  ...['subscriptions.canceled_at', 'subscriptions.cancel_reason'],
  ...['subscriptions.success_url', 'subscriptions.cancel_url'],
  ...['payment_intents.reference_check_at', 'payment_intents.reference_checked_at'],
  ...['checkout_sessions.subscription_id', 'checkout_sessions.volume_cents', 'invoices.subscription_id'],
  'invoices.next_step_at',
  ...['payment_exceptions.linked_intent_id', 'payment_exceptions.resolved_at', 'refunds.canceled_at'],
  ...['watched_accounts.read_through', 'watched_accounts.proven_slot', 'watched_accounts.proven_balance'],
  ...['watched_accounts.last_read_at', 'watched_accounts.problem_since'],
  ...['incoming_transfers.balance_before', 'incoming_transfers.balance_after'],
];

test('a restored database holds every value as it was', async () => {
  const source = await testDatabase();
  await fillTables(source);
  const before = await readTables(source);
  expect(Object.keys(before).filter((name) => before[name]!.rows.length === 0)).toEqual([]);
  const unfilled = Object.entries(before).flatMap(([table, { columns, rows }]) =>
    columns.filter((_, i) => rows.every((row) => row[i] === null)).map((column) => `${table}.${column}`),
  );
  expect(unfilled.toSorted()).toEqual(UNFILLED.toSorted());

  const target = await emptyDatabase();
  const told: Progress[] = [];
  const summary = await restore(target, inPieces(await backupOf(source)), (progress) => told.push(progress));
  expect(await readTables(target)).toEqual(before);
  expect(await dumpSchema(target)).toBe(await dumpSchema(source));
  expect(told.map(({ table, rows }) => [table, rows])).toEqual(
    Object.entries(before).map(([table, { rows }]) => [table, rows.length]),
  );
  expect(summary).toEqual({
    schema: (await readMigrations()).length,
    createdAt: BACKUP_AT.toISOString(),
    network: 'devnet',
    tables: told.length,
    rows: told.reduce((total, { rows }) => total + rows, 0),
    bytes: told.reduce((total, { bytes }) => total + bytes, 0),
  });
});

test.each(withNextMigrations.map(({ number }) => number))(
  'a backup made at schema %i restores, and ends at the present one',
  async (upTo) => {
    const migrations = withNextMigrations;
    const source = await emptyDatabase();
    await migrate(source, upTo, { migrations });
    await fillTables(source, NEXT_ROWS);
    const backedUp = await backupOf(source);

    const target = await emptyDatabase();
    await restore(target, inPieces(backedUp), undefined, { migrations });
    await migrate(source, undefined, { migrations });
    expect(await readTables(target)).toEqual(await readTables(source));
    expect(await dumpSchema(target)).toBe(await dumpSchema(source));
  },
);

test('a backup reads alike whatever the server and the role are set to', async () => {
  const db = await testDatabase();
  await fillTables(db);
  const usual = tablesIn(await backupOf(db));
  const name = db.pool.options.database;
  await db.query(`alter database ${name} set datestyle = 'SQL, DMY'`);
  await db.query(`alter database ${name} set timezone = 'Asia/Kolkata'`);
  await db.query(`alter database ${name} set bytea_output = 'escape'`);
  const other = openDatabase({ connection: db.pool.options });
  expect(tablesIn(await backupOf(other))).toEqual(usual);
  await other.close();
});

test('a backup shows one moment while writes continue', async () => {
  const source = await testDatabase();
  await insertMerchants(source, 6_000);
  await insertIntent(source);
  const before = await readTables(source);

  // The merchants do not fit into the buffers on the way, so every other table is read after the change.
  const held = heldOutput();
  const running = backup(source, held.output, BACKUP_AT);
  await held.reached;
  await source.transaction(async (tx) => {
    await tx.query(`update payment_intents set status = 'expired', sequence = 1`);
    await tx.query(`insert into events (merchant_id, id, event, object_type, object_id, sequence, status, ordering_key, body, created_at)
      select merchant_id, id, 'payment_intent.expired', 'payment_intent', id, 1, 'expired', id, '{}', now() from payment_intents`);
  });
  await insertMerchants(source, 10);
  await insertIntent(source);
  held.letGo();
  await running;

  const target = await emptyDatabase();
  await restore(target, inPieces(held.file()));
  expect(await readTables(target)).toEqual(before);
});

test('a table that was not read yet cannot be changed under a running backup', async () => {
  const db = await testDatabase();
  await insertMerchants(db, 6_000);
  const held = heldOutput();
  const running = backup(db, held.output, BACKUP_AT);
  await held.reached;
  const alter = db.transaction(async (tx) => {
    await tx.query(`set local lock_timeout = '10ms'`);
    await tx.query('alter table terminals alter name type varchar(128)');
  });
  await expect(alter).rejects.toSatisfy(isLockTimeout);
  held.letGo();
  await running;
});

test('an output that hangs makes the server wait: the rows stay where they are', async () => {
  const db = await testDatabase();
  await insertMerchants(db, 1);
  await insertAuditEntries(db, 100_000);
  const held = heldOutput();
  let readBytes = 0;
  const running = backup(db, held.output, BACKUP_AT, ({ bytes }) => {
    readBytes = Math.max(readBytes, bytes);
  });
  await held.reached;
  await untilServerWaits(db);
  const readWhileHeld = readBytes;
  held.letGo();
  const { rows, bytes } = await running;
  expect(rows).toBe(100_002);
  expect(bytes).toBeGreaterThan(16 * 1024 * 1024);
  expect(readWhileHeld).toBeLessThan(8 * 1024 * 1024);
});

test('a backup whose output fails is over, and so is its reading', async () => {
  const db = await testDatabase();
  await insertMerchants(db, 6_000);
  const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no space left')) });
  await expect(backup(db, full, BACKUP_AT)).rejects.toThrow('no space left');
  await untilNoneReads(db);
  expect(gunzipSync(await backupOf(db)).length).toBeGreaterThan(6_000);
});

test('a backup whose connection is lost says so', async () => {
  const db = await testDatabase();
  await insertMerchants(db, 6_000);
  const held = heldOutput();
  const running = backup(db, held.output, BACKUP_AT);
  await held.reached;
  // In the middle of a table or between two, as far as the server has come.
  const ended = await db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
  );
  expect(ended).toHaveLength(1);
  held.letGo();
  await expect(running).rejects.toThrow(/terminat/);
  expect(held.output.destroyed).toBe(true);
});

test('a table that is read over a connection which is lost already is an error, not a wait for good', async () => {
  const db = await testDatabase();
  const reading = db.withConnection(async (client) => {
    const lost = once(client, 'error');
    const { rows } = await client.query('select pg_backend_pid() as pid');
    await db.query('select pg_terminate_backend($1)', [rows[0].pid]);
    await lost;
    for await (const chunk of copyOut(client, '(select 1)')) expect(chunk).toBeUndefined();
  });
  await expect(reading).rejects.toThrow('not queryable');
});

/** The contents after the header, which differs from one backup to the next. */
function tablesIn(file: Buffer): string {
  const plain = gunzipSync(file).toString('latin1');
  return plain.slice(plain.indexOf('\n'));
}

const READING = `datname = current_database() and query like 'copy %' and state = 'active'`;

/** Waiting means: for us, in the same place, many times over. */
async function untilServerWaits(db: Database): Promise<void> {
  for (let times = 0; times < 20; ) {
    const rows = await db.query(
      `select from pg_stat_activity where ${READING} and wait_event = 'ClientWrite'`,
    );
    times = rows.length > 0 ? times + 1 : 0;
    await sleep(10);
  }
}

async function untilNoneReads(db: Database): Promise<void> {
  while ((await db.query(`select from pg_stat_activity where ${READING}`)).length > 0) await sleep(10);
}

async function insertIntent(db: Database): Promise<void> {
  await db.query(
    `insert into payment_intents (merchant_id, id, expected_amount_cents, reference_address, destination_address, created_at, expires_at)
     select id, id, 1, gen_random_uuid(), 'd', now(), now() + interval '1 hour' from merchants
      where id not in (select merchant_id from payment_intents) limit 1`,
  );
}
