import type { Queryable } from '../../platform/db/database.ts';
import { hasOtherMerchants } from './queries.ts';
import type { Sponsor } from './sponsor.ts';

/** Part of a day's limit for each of several merchants, unless the operator has set one: a quarter. */
const SHARE = 4n;

/**
 * Maximum of fees paid for one merchant's payers in a day. Null means the whole limit, because there is no other
 * merchant.
 */
export async function merchantLimit(
  db: Queryable,
  { limitLamportsPerDay, merchantLimitLamportsPerDay }: Sponsor,
  merchantId: string,
): Promise<bigint | null> {
  if (merchantLimitLamportsPerDay !== null) return merchantLimitLamportsPerDay;
  return (await hasOtherMerchants(db, merchantId)) ? limitLamportsPerDay / SHARE : null;
}
