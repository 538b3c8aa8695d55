import type { Queryable } from '../../platform/db/database.ts';
import { listHits } from './queries.ts';
import { type Found, HIT_TYPES } from './search-hit.ts';
import { parseSearchQuery } from './search-query.ts';

/** What a merchant owns that a typed text may mean: what it names exactly first, then by kind, newest first. */
export async function search(
  db: Queryable,
  merchantId: string,
  typed: string,
  limit: number,
): Promise<Found[]> {
  const rows = await listHits(db, merchantId, parseSearchQuery(typed), limit);
  return rows.sort(
    (a, b) =>
      a.rank - b.rank || HIT_TYPES.indexOf(a.type) - HIT_TYPES.indexOf(b.type) || (a.id < b.id ? 1 : -1),
  );
}
