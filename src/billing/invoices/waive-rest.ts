import type { Tx } from '../../platform/db/database.ts';
import { stringifyJson } from '../../platform/lib/json.ts';
import { creditShares } from './credit-shares.ts';
import { type Invoice, invoices } from './invoice.ts';

/** Stores how the waived part of a locked invoice divides over its tax rates, as a refund of it would. */
export async function storeWaivedShares(tx: Tx, invoice: Invoice): Promise<void> {
  if (invoice.tax === null || invoice.waivedCents === 0n) return;
  const shares = creditShares(invoice.lines, [], invoice.waivedCents);
  await invoices.update(tx, invoice, { waivedShares: stringifyJson(shares) });
}

/** Notes on a locked invoice that its customer was reminded of the rest once more. */
export async function storeReminded(tx: Tx, before: Invoice, now: Date): Promise<Invoice> {
  const invoice = { ...before, remindedAt: now, timesReminded: before.timesReminded + 1 };
  await invoices.store(tx, invoice, ['remindedAt', 'timesReminded']);
  return invoice;
}
