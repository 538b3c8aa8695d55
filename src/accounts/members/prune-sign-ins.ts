import type { Database } from '../../platform/db/database.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { deleteBefore, type Prunable } from './prune-queries.ts';

const TABLES: readonly Prunable[] = [
  'dashboard_sessions',
  'member_links',
  'passkey_challenges',
  'known_devices',
  'sign_in_attempts',
];

/** How long expired rows are kept, so that "expired" can be told from "unknown". */
const KEPT_DAYS = 7;
const SLICE = 5_000;

/**
 * Deletes sessions, links, challenges, devices and failed attempts that expired long ago. Safe in several processes.
 */
export async function pruneSignIns(db: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_DAYS * DAY_MS);
  let pruned = 0;
  for (const table of TABLES) {
    for (let count = SLICE; count === SLICE; pruned += count) {
      count = await deleteBefore(db, table, before, SLICE);
    }
  }
  return pruned;
}
