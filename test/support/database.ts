import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/database.ts';
import { connectionIn } from '../../src/platform/db/embedded-postgres.ts';
import { cleanUp } from './clean-up.ts';
import { ofOneMerchant } from './one-merchant.ts';
import { TEMPLATE } from './template.ts';

let server: ReturnType<typeof connectionIn> | undefined;

/** A database of one's own: a clone of the migrated template, dropped when the test file is done. */
export async function testDatabase({ template = TEMPLATE }: { template?: string } = {}): Promise<Database> {
  // Each holds a handle of the folder open.
  server ??= connectionIn(inject('dataFolder'));
  const connection = server;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = openDatabase({ connection: { ...connection, database: 'postgres' }, poolSize: 1 });
  // Copied file by file: page by page through the log takes three times as long.
  await admin.query(`create database ${name} template ${template} strategy file_copy`);
  const db = openDatabase({ connection: { ...connection, database: name } });
  cleanUp(async () => {
    await db.close();
    await admin.query(`drop database ${name} with (force)`);
    await admin.close();
  });
  return ofOneMerchant(db);
}

/** Waits until some connection to the database waits for a lock, or `work` is over without having waited. */
export async function untilBlocked(db: Database, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  work.then(over, over);
  const waiting = () =>
    db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`,
    );
  while (!isOver && (await waiting()).length === 0);
}
