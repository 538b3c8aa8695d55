import type { Queryable } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import type { CreditShare } from './credit-shares.ts';
import { invoices } from './invoice.ts';
import { readShares } from './stored-shares.ts';

/** Amounts waived of an invoice, by tax rate. */
export async function listWaivedShares(db: Queryable, { merchantId, id }: Ref): Promise<CreditShare[]> {
  const row = await invoices.find(db, { merchantId, id });
  return row ? readShares(row.waivedShares) : [];
}
