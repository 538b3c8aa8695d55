import type { Queryable } from '../../platform/db/database.ts';

/** What expires, by the column that says when. */
const TABLES = {
  dashboard_sessions: 'expires_at',
  member_links: 'expires_at',
  passkey_challenges: 'expires_at',
  known_devices: 'expires_at',
  sign_in_attempts: 'blocked_until',
} as const;

export type Prunable = keyof typeof TABLES;

/** Returns how many were deleted; in slices, so that pruning never holds many locks. */
export async function deleteBefore(
  db: Queryable,
  table: Prunable,
  before: Date,
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${TABLES[table]} < $1 limit $2 for update skip locked
     )) returning true`,
    [before, limit],
  );
  return rows.length;
}
