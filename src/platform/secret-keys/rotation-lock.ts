import { type Database, isLockTimeout } from '../db/database.ts';

const ROTATION_LOCK = 7_265_737;

/** One rotation at a time: two that both add a key to the file would lose one of them. */
export async function withRotationLock(db: Database, work: () => Promise<void>): Promise<void> {
  await db.withConnection(async (client) => {
    try {
      await client.query('select pg_advisory_lock($1)', [ROTATION_LOCK]);
    } catch (error) {
      if (isLockTimeout(error)) throw new Error('the secret key is being rotated by another process');
      throw error;
    }
    try {
      await work();
    } finally {
      await client.query('select pg_advisory_unlock($1)', [ROTATION_LOCK]);
    }
  });
}
