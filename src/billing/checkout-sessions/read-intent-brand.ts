import { type ProjectBrand, readProjectBrand } from '../../accounts/projects/read-project-brand.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { findProjectOfIntent } from './queries.ts';

/** Reads the brand of an intent's seller: the project of its session, or the merchant if it has none. */
export async function readIntentBrand(db: Queryable, { merchantId, id }: Ref): Promise<ProjectBrand> {
  return readProjectBrand(db, { merchantId, id: await findProjectOfIntent(db, merchantId, id) });
}
