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

/** So long what is over is still told from what never was. */
const KEPT_DAYS = 7;
const SLICE = 5_000;

/** Forgets sessions, links, challenges, devices and failed attempts that are long over. Safe in many processes at once. */
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
