import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { updateSeenInWallet } from './queries.ts';

export interface Confirmation {
  merchantId: string;
  actor: string;
  payoutAddress: string;
  now: Date;
}

/** An owner says that a payment shows in their wallet. Only for the address that is set now, and once one has arrived. */
export async function confirmWallet(tx: Tx, confirmation: Confirmation): Promise<void> {
  const { payoutAddress, ...entry } = confirmation;
  if (!(await updateSeenInWallet(tx, confirmation)))
    throw new AppError('INVALID_STATE', {
      message: 'No payment has arrived at this address, or it is not your payout address.',
    });
  await recordAudit(tx, { ...entry, action: 'payout_address.seen_in_wallet', detail: { payoutAddress } });
}
