import type { Database } from '../../platform/db/database.ts';
import { deleteInSlices } from '../../platform/db/delete-in-slices.ts';
import { addDays } from '../../platform/lib/clock.ts';
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
  const before = addDays(now, -KEPT_DAYS);
  let pruned = 0;
  for (const table of TABLES)
    pruned += await deleteInSlices(SLICE, (limit) => deleteBefore(db, table, before, limit));
  return pruned;
}
