import type { Queryable } from '../../platform/db/database.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import type { CreditShare } from './credit-shares.ts';
import type { Invoice } from './invoice.ts';
import type { InvoiceRef } from './queries.ts';
import { readShares } from './stored-shares.ts';

export async function updateWaivedShares(
  tx: Queryable,
  { merchantId, id }: InvoiceRef,
  shares: readonly CreditShare[],
): Promise<void> {
  await tx.query('update invoices set waived_shares = $3 where merchant_id = $1 and id = $2', [
    merchantId,
    id,
    stringifyJson(shares),
  ]);
}

/** Amounts waived of an invoice, by tax rate. */
export async function listWaivedShares(
  db: Queryable,
  { merchantId, id }: InvoiceRef,
): Promise<CreditShare[]> {
  const [row] = await db.query<{ shares: string }>(
    'select waived_shares::text as shares from invoices where merchant_id = $1 and id = $2',
    [merchantId, id],
  );
  return row ? readShares(row.shares) : [];
}

export async function updateReminded(tx: Queryable, invoice: Invoice): Promise<void> {
  await tx.query(
    'update invoices set reminded_at = $3, times_reminded = $4 where merchant_id = $1 and id = $2',
    [invoice.merchantId, invoice.id, invoice.remindedAt, invoice.timesReminded],
  );
}
