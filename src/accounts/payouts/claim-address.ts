import { assignWatched } from '../../chain/solana/watched-account.ts';
import type { Queryable, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { PayoutAddress } from './payout-address.ts';
import { deleteAddress, insertAddress, isInUse, lockHolders, updateOwned } from './queries.ts';

export { deleteAddress, insertAddress, updateOwned };

export interface Claim {
  merchantId: string;
  address: string;
  now: Date;
}

const MAX_TRIES = 5;

/** Takes an address from an owner who neither verified, nor uses, nor expects money at it; otherwise says who that is. */
export async function freeAddress(
  tx: Queryable,
  { merchantId, address, now }: Claim,
): Promise<PayoutAddress | undefined> {
  const holders = await lockHolders(tx, address);
  const owner = holders.find((holder) => !holder.isShared && holder.merchantId !== merchantId);
  if (owner && (owner.verifiedAt || (await isInUse(tx, owner, now)))) return owner;
  if (owner) await deleteAddress(tx, owner);
  return undefined;
}

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
    if (own && !own.isShared) return;
    if (await freeAddress(tx, { merchantId, address, now })) throw new AppError('PAYOUT_ADDRESS_TAKEN');
    if (own) {
      await updateOwned(tx, own);
      return assignWatched(tx, address, merchantId);
    }
  }
  throw new AppError('PAYOUT_ADDRESS_TAKEN');
}
