import type { Database } from './database.ts';

/** Locks that are no rows. Each has its own number, whatever it is; one of something that there are many of has a name. */
export const LOCKS = {
  migration: 7_265_736,
  keyRotation: 7_265_737,
  sandboxClock: 7_265_738,
  eventDispatch: 7_265_739,
  revenueFold: 7_265_740,
  migrationCheck: 7_265_741,
  scheduledBackup: 7_265_742,
} as const;

/**
 * Runs `work` while this process alone has the lock; false if another one has it. A transaction that stays open holds it:
 * behind a pooler, a lock of the session would stay with a connection that others use next.
 */
export function tryAlone(db: Database, lock: number | string, work: () => Promise<void>): Promise<boolean> {
  const key = typeof lock === 'number' ? '$1' : 'hashtextextended($1, 0)';
  return db.withConnection(async (client) => {
    await client.query('begin; set local idle_in_transaction_session_timeout = 0');
    try {
      const { rows } = await client.query(`select pg_try_advisory_xact_lock(${key}) as is_mine`, [lock]);
      if (rows[0].isMine) await work();
      return rows[0].isMine;
    } finally {
      // Lost with its connection, it changes nothing about what was done.
      await client.query('rollback').catch((failure: Error) => client.emit('error', failure));
    }
  });
}
