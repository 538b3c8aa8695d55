import type { Queryable } from '../db/database.ts';
import { findLastEventBody } from './queries.ts';

/** What was last told of an object under this name, as it was told. */
export function findLastBody(
  db: Queryable,
  told: { merchantId: string; objectId: string; event: string },
): Promise<string | undefined> {
  return findLastEventBody(db, told);
}
