import type { Queryable } from '../../platform/db/database.ts';
import { findMerchant } from './queries.ts';

export async function readMerchantName(db: Queryable, merchantId: string): Promise<string | null> {
  return (await findMerchant(db, merchantId))?.name ?? null;
}
