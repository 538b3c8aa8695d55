import type { Queryable } from '../../platform/db/database.ts';
import { findMerchant } from './queries.ts';

export interface Brand {
  name: string | null;
  /** `#rrggbb`, in lower case. */
  brandColor: string | null;
  /** File name in `logos`. */
  logoFile: string | null;
}

/** How the merchant shows itself to customers. */
export async function readBrand(db: Queryable, merchantId: string): Promise<Brand> {
  const merchant = await findMerchant(db, merchantId);
  return {
    name: merchant?.name ?? null,
    brandColor: merchant?.brandColor ?? null,
    logoFile: merchant?.logoFile ?? null,
  };
}
