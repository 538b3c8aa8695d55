import type { Queryable } from '../../platform/db/database.ts';
import { deleteSlice } from '../../platform/db/delete-slice.ts';

/** Tables of things that expire: their key, and the column that says when. */
const TABLES = {
  dashboard_sessions: { key: ['merchant_id', 'id'], end: 'expires_at' },
  member_links: { key: ['merchant_id', 'id'], end: 'expires_at' },
  passkey_challenges: { key: ['hash'], end: 'expires_at' },
  known_devices: { key: ['merchant_id', 'member_id', 'token_hash'], end: 'expires_at' },
  sign_in_attempts: { key: ['name'], end: 'blocked_until' },
} as const;

export type Prunable = keyof typeof TABLES;

/** Returns how many were deleted; in slices, so that pruning never holds many locks. */
export async function deleteBefore(
  db: Queryable,
  table: Prunable,
  before: Date,
  limit: number,
): Promise<number> {
  const { key, end } = TABLES[table];
  const rows = await db.query(`${deleteSlice(table, key, `${end} < $1`)} returning true`, [before, limit]);
  return rows.length;
}
