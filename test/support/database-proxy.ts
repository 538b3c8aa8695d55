import type pg from 'pg';
import { inject } from 'vitest';
import type { Database } from '../../src/platform/db/database.ts';
import { connectionIn } from '../../src/platform/db/embedded-postgres.ts';
import { type SwallowingProxy, startSwallowingProxy } from './swallowing-proxy.ts';

export interface DatabaseProxy extends SwallowingProxy {
  url(db: Database): string;
}

/** Starts a proxy in front of a PostgreSQL that listens on a Unix socket. */
export async function startDatabaseProxy(
  { host, port = 5432 }: pg.PoolConfig = connectionIn(inject('dataFolder')),
): Promise<DatabaseProxy> {
  const proxy = await startSwallowingProxy({ path: `${host}/.s.PGSQL.${port}` });
  return {
    ...proxy,
    url: (db) => `postgres://florin@127.0.0.1:${proxy.port}/${db.pool.options.database}?sslmode=disable`,
  };
}
