import type { Tx } from '../../platform/db/database.ts';
import { centsToBaseUnits } from '../../platform/lib/money.ts';
import { listOverRefunded } from '../transfers/exception-queries.ts';
import { raiseOverRefunded } from '../transfers/refund-exception.ts';
import { listRefundTransfers } from './check-queries.ts';
import { isOver, type Refund } from './refund.ts';

/**
 * Lists what a refund that is over has sent beyond what it counts for, to the last unit, under the transactions that
 * sent it: the newest first, because whatever came before them was still missing then.
 */
export async function listExcess(
  tx: Tx,
  refund: Refund,
  { mint, now }: { mint: string; now: Date },
): Promise<void> {
  if (!isOver(refund)) return;
  const { merchantId, id, status, paymentIntentId } = refund;
  const counted = status === 'succeeded' ? centsToBaseUnits(refund.amountCents) : 0n;
  if (refund.sentBaseUnits <= counted) return;
  const listed = await listOverRefunded(tx, merchantId, id);
  let missing = listed.reduce((rest, { baseUnits }) => rest - baseUnits, refund.sentBaseUnits - counted);
  const transfers = (await listRefundTransfers(tx, refund)).filter(({ isFinal }) => isFinal);
  for (const { signature, baseUnits } of transfers.reverse()) {
    if (missing <= 0n) return;
    if (listed.some((known) => known.signature === signature)) continue;
    const excess = baseUnits < missing ? baseUnits : missing;
    missing -= excess;
    await raiseOverRefunded(tx, {
      ...{ merchantId, refundId: id, signature, mint, intentId: paymentIntentId, now },
      destination: refund.address!,
      baseUnits: excess,
    });
  }
}
