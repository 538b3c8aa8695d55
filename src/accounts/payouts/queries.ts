import type { Queryable } from '../../platform/db/database.ts';
import type { PayoutAddress } from './payout-address.ts';

const COLUMNS = `merchant_id, address, is_shared, verified_at`;

/** False if another merchant has it; waits for a concurrent write. */
export async function insertAddress(
  tx: Queryable,
  { merchantId, address, verifiedAt }: Omit<PayoutAddress, 'isShared'>,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into payout_addresses (merchant_id, address, verified_at, created_at) values ($1, $2, $3, $4)
         on conflict do nothing returning address`,
    [merchantId, address, verifiedAt, now],
  );
  return rows.length > 0;
}

export async function findAddress(
  db: Queryable,
  merchantId: string,
  address: string,
): Promise<PayoutAddress | undefined> {
  const [row] = await db.query<PayoutAddress>(
    `select ${COLUMNS} from payout_addresses where merchant_id = $1 and address = $2`,
    [merchantId, address],
  );
  return row;
}

/** Every merchant that has it: the owner and those it is shared with. */
export async function lockHolders(tx: Queryable, address: string): Promise<PayoutAddress[]> {
  return tx.query<PayoutAddress>(
    `select ${COLUMNS} from payout_addresses where address = $1 order by merchant_id for update`,
    [address],
  );
}

/** Set somewhere, about to be, or still watched for requested payments. */
export async function isInUse(
  tx: Queryable,
  { merchantId, address }: PayoutAddress,
  now: Date,
): Promise<boolean> {
  const [row] = await tx.query<{ isInUse: boolean }>(
    `select exists (select from merchants where id = $1 and payout_address = $2)
         or exists (select from projects where merchant_id = $1 and payout_address = $2)
         or exists (select from payout_changes where merchant_id = $1 and address = $2)
         or exists (select from watched_accounts where destination = $2 and watch_until > $3) as is_in_use`,
    [merchantId, address, now],
  );
  return row!.isInUse;
}

export async function deleteAddress(
  tx: Queryable,
  { merchantId, address }: Pick<PayoutAddress, 'merchantId' | 'address'>,
): Promise<void> {
  await tx.query('delete from payout_addresses where merchant_id = $1 and address = $2', [
    merchantId,
    address,
  ]);
}

/** From now on it belongs to this merchant alone. */
export async function updateOwned(
  tx: Queryable,
  { merchantId, address, verifiedAt }: Omit<PayoutAddress, 'isShared'>,
): Promise<void> {
  await tx.query(
    `update payout_addresses set is_shared = false, verified_at = coalesce($3, verified_at)
      where merchant_id = $1 and address = $2`,
    [merchantId, address, verifiedAt],
  );
}

/** False unless a payment succeeded at the address, and the address is set now. */
export async function updateSeenInWallet(
  tx: Queryable,
  { merchantId, payoutAddress, now }: { merchantId: string; payoutAddress: string; now: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update payout_addresses a set seen_in_wallet_at = $3
       from merchants m
      where m.id = $1 and m.payout_address = $2 and a.merchant_id = m.id and a.address = m.payout_address
        and exists (select from payment_intents i where i.merchant_id = m.id and i.status = 'succeeded'
                       and i.destination_address = m.payout_address)
      returning a.address`,
    [merchantId, payoutAddress, now],
  );
  return rows.length > 0;
}

export interface Challenge {
  merchantId: string;
  address: string;
  message: string;
  expiresAt: Date;
}

/** Replaces an older one. */
export async function upsertChallenge(tx: Queryable, challenge: Challenge): Promise<void> {
  const { merchantId, address, message, expiresAt } = challenge;
  await tx.query(
    `insert into payout_challenges (merchant_id, address, message, expires_at) values ($1, $2, $3, $4)
         on conflict (merchant_id, address) do update set message = $3, expires_at = $4`,
    [merchantId, address, message, expiresAt],
  );
}

export async function lockChallenge(
  db: Queryable,
  merchantId: string,
  address: string,
): Promise<Challenge | undefined> {
  const [row] = await db.query<Challenge>(
    `select merchant_id, address, message, expires_at
       from payout_challenges where merchant_id = $1 and address = $2 for update`,
    [merchantId, address],
  );
  return row;
}

export async function deleteChallenge(tx: Queryable, merchantId: string, address: string): Promise<void> {
  await tx.query('delete from payout_challenges where merchant_id = $1 and address = $2', [
    merchantId,
    address,
  ]);
}

export async function deleteOldChallenges(tx: Queryable, now: Date): Promise<void> {
  await tx.query('delete from payout_challenges where expires_at <= $1', [now]);
}
