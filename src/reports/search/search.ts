import type { Queryable } from '../../platform/db/database.ts';
import { listNotedHits } from './metadata-queries.ts';
import { type HitRow, listHits } from './queries.ts';
import { type Found, HIT_TYPES } from './search-hit.ts';
import { parseSearchQuery } from './search-query.ts';

/** Finds a merchant's objects that a typed text may mean: exact matches first, then by kind, newest first. */
export async function search(
  db: Queryable,
  merchantId: string,
  typed: string,
  limit: number,
): Promise<Found[]> {
  const wanted = parseSearchQuery(typed);
  const rows = await listHits(db, merchantId, wanted, limit);
  const noted = wanted.metadata ? await listNotedHits(db, merchantId, wanted.metadata, limit) : [];
  return best([...rows, ...noted], limit);
}

/** Merges hits: one found in both ways counts once, at its better rank. */
function best(rows: readonly HitRow[], limit: number): HitRow[] {
  const byName = new Map<string, HitRow>();
  for (const row of rows) {
    const known = byName.get(`${row.type} ${row.id}`);
    if (!known || row.rank < known.rank) byName.set(`${row.type} ${row.id}`, row);
  }
  const counts = new Map<string, number>();
  return inOrder([...byName.values()]).filter(({ type }) => {
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return count <= limit;
  });
}

function inOrder(rows: HitRow[]): HitRow[] {
  return rows.sort(
    (a, b) =>
      a.rank - b.rank || HIT_TYPES.indexOf(a.type) - HIT_TYPES.indexOf(b.type) || (a.id < b.id ? 1 : -1),
  );
}
