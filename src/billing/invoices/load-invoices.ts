import type { Queryable } from '../../platform/db/database.ts';
import { byId } from '../../platform/http/expand.ts';
import { presentInvoice } from './present.ts';
import { listInvoicesById } from './queries.ts';

/** A merchant's invoices as other answers include them. */
export async function loadInvoices(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, object>> {
  const invoices = await listInvoicesById(db, merchantId, ids);
  return byId(invoices, (invoice) => presentInvoice(invoice, now));
}
