import type { Brand } from '../../accounts/merchants/read-brand.ts';
import { readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { findProjectOfIntent } from './queries.ts';

/** Who asks for the money of an intent: the project of its session, or the merchant where it has none. */
export async function readIntentBrand(
  db: Queryable,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<Brand> {
  return readProjectBrand(db, { merchantId, id: await findProjectOfIntent(db, merchantId, id) });
}
