import { assignWatched } from '../../chain/solana/watched-account.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { deleteAddress, insertAddress, isInUse, lockHolders, updateOwned } from './queries.ts';

export { deleteAddress, insertAddress, updateOwned };

export interface Claim {
  merchantId: string;
  address: string;
  now: Date;
}

const MAX_TRIES = 5;

/**
 * Assigns an address to the merchant, or refuses with 409 because another merchant has it. An address that its owner
 * neither verified, nor uses, nor expects money at is free again. The unique index decides between two concurrent
 * claims.
 */
export async function claimAddress(tx: Tx, { merchantId, address, now }: Claim): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    if (await insertAddress(tx, { merchantId, address, verifiedAt: null }, now)) {
      return assignWatched(tx, address, merchantId);
    }
    const holders = await lockHolders(tx, address);
    const own = holders.find((holder) => holder.merchantId === merchantId);
    const owner = holders.find((holder) => !holder.isShared);
    if (own && own === owner) return;
    if (owner && (owner.verifiedAt || (await isInUse(tx, owner, now))))
      throw new AppError('PAYOUT_ADDRESS_TAKEN');
    if (owner) await deleteAddress(tx, owner);
    if (own) {
      await updateOwned(tx, own);
      return assignWatched(tx, address, merchantId);
    }
  }
  throw new AppError('PAYOUT_ADDRESS_TAKEN');
}
