import pg from 'pg';
import type { Database } from '../../platform/db/database.ts';
import { listTables, type Table } from './list-tables.ts';

export interface LockedTables {
  client: pg.PoolClient;
  tables: Table[];
  /** How many migrations the database has. */
  schema: number;
}

/**
 * One transaction over every table, for as long as it takes, during which no migration changes them. The locks come
 * before the snapshot: a table rewritten between the two would look empty.
 */
export function withLockedTables<Result>(
  db: Database,
  isolation: string,
  lockMode: 'access share' | 'row exclusive' | 'exclusive',
  work: (locked: LockedTables) => Promise<Result>,
): Promise<Result> {
  return db.withConnection(async (client) => {
    // Lost between two statements, it says why only here; the next statement says merely that it is lost.
    let loss: Error | undefined;
    const note = (error: Error) => {
      loss ??= error;
    };
    client.on('error', note);
    try {
      const before = ['schema_migrations', ...(await listTables(client)).map((table) => table.name)];
      await client.query(`begin ${isolation}; ${SETTINGS}`);
      await client.query(`lock table ${before.map(pg.escapeIdentifier).join(', ')} in ${lockMode} mode`);
      const schema = await countMigrations(client);
      const result = await work({ client, tables: await listTables(client), schema });
      await client.query('commit');
      return result;
    } catch (error) {
      // A COPY may still be under way, so the connection is closed, not used again: that rolls back too.
      const cause = loss ?? (error as Error);
      client.emit('error', cause);
      throw cause;
    } finally {
      client.off('error', note);
    }
  });
}

/** No timeouts, and one way of writing values as text whatever the server or the role is set to. */
const SETTINGS = `
  set local statement_timeout = 0;
  set local lock_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'iso_8601';
  set local timezone = 'UTC';
  set local extra_float_digits = 3;
  set local bytea_output = 'hex'`;

async function countMigrations(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from schema_migrations',
  );
  return rows[0]!.count;
}
