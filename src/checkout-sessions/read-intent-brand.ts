import type { Queryable } from '../db/database.ts';
import type { Brand } from '../merchants/read-brand.ts';
import { readProjectBrand } from '../projects/read-project-brand.ts';
import { findProjectOfIntent } from './queries.ts';

/** Who asks for the money of an intent: the project of its session, or the merchant where it has none. */
export async function readIntentBrand(
  db: Queryable,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<Brand> {
  return readProjectBrand(db, { merchantId, id: await findProjectOfIntent(db, merchantId, id) });
}
