import { LOCKS, tryAlone } from '../../platform/db/advisory-locks.ts';
import type { Database } from '../../platform/db/database.ts';

/** One rotation at a time: two that both add a key to the file would lose one of them. */
export async function withRotationLock(db: Database, work: () => Promise<void>): Promise<void> {
  if (!(await tryAlone(db, LOCKS.keyRotation, work)))
    throw new Error('the secret key is being rotated by another process');
}
