import { assignWatched } from '../../chain/solana/watched-account.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { losePayoutAddress } from '../merchants/change-payout.ts';
import { checkProof } from '../payouts/challenge.ts';
import { deleteAddress, insertAddress, updateOwned } from '../payouts/claim-address.ts';
import type { PayoutAddress } from '../payouts/payout-address.ts';
import { losePending } from '../payouts/pending-change.ts';
import { lockHolders } from '../payouts/queries.ts';
import { clearPayoutAddress } from '../projects/clear-payout-address.ts';

export interface TransferAddress {
  merchantId: string;
  actor: string;
  address: string;
  signature: string;
  now: Date;
}

const MAX_TRIES = 5;

/**
 * Makes an address the merchant’s alone, because its wallet signed for it. Other merchants that used it lose it for new
 * payments and are notified; payments they requested before stay theirs. Returns the merchants that lost it.
 */
export async function transferAddress(tx: Tx, { signature, ...input }: TransferAddress): Promise<string[]> {
  const { merchantId, actor, address, now } = input;
  await checkProof(tx, { merchantId, address, signature, now });
  const losers = new Set<string>();
  for (let tries = 1; ; tries++) {
    if (tries > MAX_TRIES) throw new AppError('SERVICE_UNAVAILABLE', { detail: 'others keep claiming it' });
    const holders = await lockHolders(tx, address);
    for (const holder of holders) {
      if (holder.merchantId === merchantId) continue;
      await release(tx, holder, now);
      losers.add(holder.merchantId);
    }
    const own = { merchantId, address, verifiedAt: now };
    if (holders.some((holder) => holder.merchantId === merchantId)) {
      await updateOwned(tx, own);
      break;
    }
    if (await insertAddress(tx, own, now)) break;
  }
  await assignWatched(tx, address, merchantId);
  const detail = { address, isTakenOver: losers.size > 0 };
  await recordAudit(tx, { merchantId, actor, action: 'payout_address.verified', detail, now });
  return [...losers];
}

/** The loser learns which wallet signed, but not whose it is. */
async function release(tx: Tx, { merchantId, address }: PayoutAddress, now: Date): Promise<void> {
  const lost = { merchantId, address, actor: `wallet:${address}`, now };
  await clearPayoutAddress(tx, lost);
  await losePayoutAddress(tx, lost, address);
  await losePending(tx, lost, address);
  await deleteAddress(tx, { merchantId, address });
}
