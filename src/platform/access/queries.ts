import { arrayOf, bytes, nullable, oneOf, text, timestamp, uuid } from '../db/columns.ts';
import type { Queryable } from '../db/database.ts';
import { type RowOf, table } from '../db/table.ts';
import { SCOPES } from './key.ts';

export const apiKeys = table(
  'api_keys',
  {
    merchantId: uuid,
    id: uuid,
    name: nullable(text),
    hash: bytes,
    prefix: text,
    scopes: arrayOf(oneOf(SCOPES)),
    allowedAddresses: nullable(arrayOf(text)),
    expiresAt: nullable(timestamp),
    revokedAt: nullable(timestamp),
    lastUsedAt: nullable(timestamp),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
type Row = RowOf<typeof apiKeys>;
export type KeyRow = Omit<Row, 'hash'>;

export interface KeyOwnerRow
  extends Pick<Row, 'id' | 'merchantId' | 'scopes' | 'allowedAddresses' | 'expiresAt'> {
  verificationStatus: number;
  payoutAddress: string | null;
  timeZone: string;
}

/** A revoked key is not found; an expired one is, and the caller compares the time. */
export async function findKeyOwner(db: Queryable, hash: string): Promise<KeyOwnerRow | undefined> {
  const [row] = await db.query<KeyOwnerRow>(
    `select k.id, k.merchant_id, k.scopes, k.allowed_addresses, k.expires_at,
            m.verification_status, m.payout_address, m.time_zone
       from api_keys k join merchants m on m.id = k.merchant_id
      where k.hash = decode($1, 'hex') and k.revoked_at is null`,
    [hash],
  );
  return row;
}

export const listKeys = (db: Queryable, merchantId: string): Promise<KeyRow[]> =>
  apiKeys.list(db, { merchantId }, 'order by id desc');

/** Returns the ids it revoked: those that were still valid. */
export async function updateKeysRevoked(
  tx: Queryable,
  merchantId: string,
  ids: readonly string[] | 'all',
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `update api_keys set revoked_at = $3
      where merchant_id = $1 and ($2::uuid[] is null or id = any($2)) and revoked_at is null
      returning id`,
    [merchantId, ids === 'all' ? null : ids, now],
  );
  return rows.map((row) => row.id);
}

export async function updateKeyUsed(db: Queryable, merchantId: string, id: string, now: Date): Promise<void> {
  await db.query(
    `update api_keys set last_used_at = $3
      where merchant_id = $1 and id = $2 and (last_used_at is null or last_used_at < $3)`,
    [merchantId, id, now],
  );
}

/** A key's refusals are noted at most so often. */
export const REFUSAL_NOTED_MINUTES = 1;

/** False when a refusal was noted less than a minute ago, by whichever process. */
export async function updateAddressRefused(
  tx: Queryable,
  merchantId: string,
  id: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update api_keys set address_refused_at = $3
      where merchant_id = $1 and id = $2
        and (address_refused_at is null or address_refused_at <= $3::timestamptz - interval '${REFUSAL_NOTED_MINUTES} minute')
      returning true`,
    [merchantId, id, now],
  );
  return rows.length > 0;
}

/** By id only, for the operator, who can read across merchants. */
export const findKeyAnywhere = (db: Queryable, id: string): Promise<KeyRow | undefined> =>
  apiKeys.find(db, { id });

/** Names of keys, revoked ones included; a key without a name has its first characters instead. */
export async function listKeyNames(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  return db.query(
    `select id, coalesce(name, prefix || '…') as name from api_keys where merchant_id = $1 and id = any($2::uuid[])`,
    [merchantId, ids],
  );
}
