import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { updateUnpaired } from './queries.ts';
import { tills } from './till.ts';

/**
 * Ends a till's key, or a code that nobody has used. Unpairing it again changes nothing and is not an error. A sale it
 * has open can still be paid.
 */
export async function unpairTill(
  tx: Tx,
  { merchantId, tillId, actor, now }: { merchantId: string; tillId: string; actor: string; now: Date },
): Promise<void> {
  const till = await updateUnpaired(tx, { merchantId, id: tillId, now });
  if (till) {
    const detail = { terminalId: till.terminalId };
    await recordAudit(tx, { merchantId, actor, action: 'till.unpaired', targetId: tillId, detail, now });
  } else if (!(await tills.find(tx, { merchantId, id: tillId }))) {
    throw new AppError('NOT_FOUND');
  }
}
