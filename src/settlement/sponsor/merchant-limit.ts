import type { Queryable } from '../../platform/db/database.ts';
import { hasOtherMerchants } from './queries.ts';
import type { Sponsor } from './sponsor.ts';

/** Of a day's limit, for each of several merchants, unless the operator has set one. */
const SHARE = 4n;

/** What may be paid for one merchant's payers in a day. Null: all of it, because there is nobody else. */
export async function merchantLimit(
  db: Queryable,
  { limitLamportsPerDay, merchantLimitLamportsPerDay }: Sponsor,
  merchantId: string,
): Promise<bigint | null> {
  if (merchantLimitLamportsPerDay !== null) return merchantLimitLamportsPerDay;
  return (await hasOtherMerchants(db, merchantId)) ? limitLamportsPerDay / SHARE : null;
}
