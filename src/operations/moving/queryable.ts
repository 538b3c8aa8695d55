import type pg from 'pg';
import type { Queryable } from '../../platform/db/database.ts';

/** A connection as queries take it, for a transaction that also copies. */
export function queryable(client: pg.PoolClient): Queryable {
  return {
    query: async (text, values = []) => (await client.query(text, [...values])).rows,
  };
}
