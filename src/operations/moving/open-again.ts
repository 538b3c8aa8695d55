import type { Change } from '../../accounts/merchants/change-merchant.ts';
import { reopenMerchant, undoClosing } from '../../accounts/merchants/close-merchant.ts';
import { endWhileClosed } from '../../payments/sponsor/follow-sponsored.ts';
import type { Tx } from '../../platform/db/database.ts';

/** Opens a merchant that stays here after all, and ends what came to nothing while it was closed. */
export async function openAgain(tx: Tx, change: Change, isForced = false): Promise<void> {
  await reopenMerchant(tx, change, isForced);
  await endWhileClosed(tx, change.merchantId, change.now);
}

/** The same for an export that failed; false where others have closed the merchant since, and it stays as it is. */
export async function openAfterFailure(tx: Tx, change: Change, since: Date): Promise<boolean> {
  const isOurs = await undoClosing(tx, change, since);
  if (isOurs) await endWhileClosed(tx, change.merchantId, change.now);
  return isOurs;
}
