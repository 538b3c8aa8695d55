import type { Queryable } from '../db/database.ts';
import type { CatalogPrice } from './price.ts';
import { type CatalogRef, findPriceRow } from './queries.ts';

/** A price with its product's name and whether that is active. */
export function findPrice(db: Queryable, ref: CatalogRef): Promise<CatalogPrice | undefined> {
  return findPriceRow(db, ref);
}
