import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { invoiceEvent } from './change-invoice.ts';
import { lockInvoice, updateRefunded } from './queries.ts';

/** Books what has been sent back for an invoice. Its status stays: what was paid was paid. */
export async function refundInvoice(
  tx: Tx,
  ref: { merchantId: string; id: string },
  { cents, orderingKey, now }: { cents: Cents; orderingKey: string; now: Date },
): Promise<void> {
  const before = (await lockInvoice(tx, ref))!;
  const after = { ...before, refundedCents: before.refundedCents + cents, sequence: before.sequence + 1 };
  await updateRefunded(tx, after);
  await appendEvents(tx, [invoiceEvent('invoice.refunded', after, before.status, orderingKey, now)], now);
}
