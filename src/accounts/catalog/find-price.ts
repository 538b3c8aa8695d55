import type { Queryable } from '../../platform/db/database.ts';
import type { CatalogPrice } from './price.ts';
import { type CatalogRef, findPriceRow, listPricesByRef } from './queries.ts';

/** A price with its product's name and whether that is active. */
export function findPrice(db: Queryable, ref: CatalogRef): Promise<CatalogPrice | undefined> {
  return findPriceRow(db, ref);
}

/** Many at once. */
export async function findPrices(
  db: Queryable,
  refs: readonly { merchantId: string; id: string }[],
): Promise<CatalogPrice[]> {
  return refs.length === 0 ? [] : listPricesByRef(db, refs);
}
