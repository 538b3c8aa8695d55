import type { Queryable } from '../db/database.ts';
import { listKeyNames } from './queries.ts';

/** What keys are called, revoked ones included; their first characters where they have no name. */
export function readKeyNames(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return listKeyNames(db, merchantId, ids);
}
