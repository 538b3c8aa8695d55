import type { Metrics } from '../lib/metrics.ts';
import type { Database } from './database.ts';

const PATIENCE_MS = 3_000;

/** How this process gets on with its database; the returned function asks it, and throws what it says. */
export function databaseGauges(db: Database, metrics: Metrics): () => Promise<void> {
  const { pool } = db;
  let isUp = true;
  metrics.gauge('florin_database_up', 'Whether the database answers this process.', () => (isUp ? 1 : 0));
  metrics.gauge(
    'florin_database_disk_full',
    'Whether a write failed within 15 seconds because the disk of the database is full.',
    () => (db.isDiskFull() ? 1 : 0),
  );
  metrics.gauge(
    'florin_database_connections_in_use',
    'Connections that a request or a job is using.',
    () => pool.totalCount - pool.idleCount,
  );
  metrics.gauge(
    'florin_database_connections_waiting',
    'Requests and jobs that wait for a connection.',
    () => pool.waitingCount,
  );
  metrics.gauge(
    'florin_database_connections_max',
    'Connections this process may open.',
    () => pool.options.max,
  );
  return async () => {
    try {
      await db.withPatience(PATIENCE_MS).query('select 1');
      isUp = true;
    } catch (error) {
      isUp = false;
      throw error;
    }
  };
}
