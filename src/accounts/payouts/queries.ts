import { text, timestamp, uuid } from '../../platform/db/columns.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { type PayoutAddress, payoutAddresses } from './payout-address.ts';

type Holding = Pick<PayoutAddress, 'merchantId' | 'address' | 'verifiedAt'>;

/** False if another merchant has it; waits for a concurrent write. */
export async function insertAddress(
  tx: Queryable,
  { merchantId, address, verifiedAt }: Holding,
  now: Date,
): Promise<boolean> {
  const row = { merchantId, address, verifiedAt, createdAt: now };
  return (await payoutAddresses.insert(tx, row, 'on conflict do nothing returning address')).length > 0;
}

export const findAddress = (db: Queryable, merchantId: string, address: string) =>
  payoutAddresses.find(db, { merchantId, address });

/** Every merchant that has it: the owner and those it is shared with. */
export const lockHolders = (tx: Queryable, address: string) =>
  payoutAddresses.list(tx, { address }, 'order by merchant_id for update');

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
  { merchantId, address, verifiedAt }: Holding,
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

export const payoutChallenges = table(
  'payout_challenges',
  { merchantId: uuid, address: text, message: text, expiresAt: timestamp },
  ['merchantId', 'address'],
);
export type Challenge = RowOf<typeof payoutChallenges>;

/** Replaces an older one. */
export async function upsertChallenge(tx: Queryable, challenge: Challenge): Promise<void> {
  await payoutChallenges.insert(
    tx,
    challenge,
    'on conflict (merchant_id, address) do update set message = excluded.message, expires_at = excluded.expires_at',
  );
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

/** Addresses that customers pay now: merchants' own and those of their projects. */
export async function listPaidAddresses(db: Queryable, limit: number): Promise<string[]> {
  const rows = await db.query<{ address: string }>(
    `select payout_address as address from merchants where payout_address is not null and closed_at is null
     union
     select p.payout_address from projects p join merchants m on m.id = p.merchant_id
      where p.payout_address is not null and p.archived_at is null and m.closed_at is null
      limit $1`,
    [limit],
  );
  return rows.map(({ address }) => address);
}
