import type { Queryable } from '../db/database.ts';
import { FOUND_TYPES, type Found } from './found.ts';
import { listFound } from './queries.ts';
import { readWanted } from './wanted.ts';

/** What a merchant owns that a typed text may mean: what it names exactly first, then by kind, newest first. */
export async function search(
  db: Queryable,
  merchantId: string,
  typed: string,
  limit: number,
): Promise<Found[]> {
  const rows = await listFound(db, merchantId, readWanted(typed), limit);
  return rows.sort(
    (a, b) =>
      a.rank - b.rank || FOUND_TYPES.indexOf(a.type) - FOUND_TYPES.indexOf(b.type) || (a.id < b.id ? 1 : -1),
  );
}
