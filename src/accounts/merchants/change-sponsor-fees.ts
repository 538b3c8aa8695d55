import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Change, lockExisting } from './change-merchant.ts';
import { merchants } from './merchant.ts';
import type { SponsorMode } from './sponsor-fees.ts';

/** Applies to payments from now on; a project may have chosen for itself. */
export async function changeSponsorFees(tx: Tx, change: Change, mode: SponsorMode): Promise<void> {
  const { id, sponsorFees: before } = await lockExisting(tx, change.merchantId);
  if (before === mode) return;
  await merchants.update(tx, { id }, { sponsorFees: mode });
  const detail = { before: { sponsorFees: before }, after: { sponsorFees: mode } };
  await recordAudit(tx, { ...change, action: 'merchant.sponsor_fees_changed', detail });
}
