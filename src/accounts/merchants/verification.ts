import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Change, lockExisting } from './change-merchant.ts';
import { merchants, VERIFICATION_STATUSES } from './merchant.ts';

/**
 * On mainnet, only a verified merchant can request payments through links. A change is audited; the same status again
 * changes nothing.
 */
export async function setVerificationStatus(tx: Tx, change: Change, status: number): Promise<void> {
  const { id, verificationStatus: before } = await lockExisting(tx, change.merchantId);
  if (before === status) return;
  await merchants.update(tx, { id }, { verificationStatus: status });
  const detail = { from: VERIFICATION_STATUSES[before], to: VERIFICATION_STATUSES[status] };
  await recordAudit(tx, { ...change, action: 'merchant.verification_changed', detail });
}
