import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Change, lockExisting } from './change-merchant.ts';
import { updateSponsorFees } from './queries.ts';
import type { SponsorMode } from './sponsor-fees.ts';

/** Applies to payments from now on; a project may have chosen for itself. */
export async function changeSponsorFees(tx: Tx, change: Change, mode: SponsorMode): Promise<void> {
  const { sponsorFees: before } = await lockExisting(tx, change.merchantId);
  if (before === mode) return;
  await updateSponsorFees(tx, change.merchantId, mode);
  const detail = { before: { sponsorFees: before }, after: { sponsorFees: mode } };
  await recordAudit(tx, { ...change, action: 'merchant.sponsor_fees_changed', detail });
}
