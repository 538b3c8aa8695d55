import {
  arrayOf,
  bigint,
  boolean,
  bytes,
  hexHash,
  nullable,
  oneOf,
  text,
  timestamp,
  uuid,
} from '../../platform/db/columns.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

export const passkeys = table(
  'passkeys',
  {
    merchantId: uuid,
    id: uuid,
    memberId: uuid,
    name: text,
    credentialId: bytes,
    /** COSE, as the authenticator gave it. */
    publicKey: bytes,
    counter: bigint,
    transports: arrayOf(text),
    /** Synced by a password manager or an account, so it outlives the device. */
    isSynced: boolean,
    createdAt: timestamp,
    lastUsedAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);
export type Passkey = RowOf<typeof passkeys>;

/** False when this credential is registered already. */
export async function insertPasskey(tx: Queryable, passkey: Passkey): Promise<boolean> {
  return (await passkeys.insert(tx, passkey, 'on conflict do nothing returning true')).length > 0;
}

export const listPasskeys = (db: Queryable, merchantId: string, memberId: string) =>
  passkeys.list(db, { merchantId, memberId }, 'order by id desc');

/** Any member's: the passkey itself says who signs in. */
export const findPasskeyByCredential = (db: Queryable, credentialId: Buffer) =>
  passkeys.find(db, { credentialId });

/** False if the counter does not increase: then someone has a copy of the key. Many keys always count zero. */
export async function updatePasskeyUsed(
  tx: Queryable,
  { merchantId, id }: Pick<Passkey, 'merchantId' | 'id'>,
  counter: number,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `update passkeys set counter = $3, last_used_at = $4
      where merchant_id = $1 and id = $2 and (counter < $3 or (counter = 0 and $3 = 0)) returning true`,
    [merchantId, id, counter, now],
  );
  return rows.length > 0;
}

export async function updatePasskeyName(
  tx: Queryable,
  { merchantId, memberId, id, name }: Pick<Passkey, 'merchantId' | 'memberId' | 'id' | 'name'>,
): Promise<Passkey | undefined> {
  const [row] = await tx.query<Passkey>(
    `update passkeys set name = $4 where merchant_id = $1 and member_id = $2 and id = $3 returning ${passkeys.columns()}`,
    [merchantId, memberId, id, name],
  );
  return row;
}

export async function deletePasskeys(
  tx: Queryable,
  merchantId: string,
  memberId: string,
  id: string | 'all',
): Promise<number> {
  const rows = await tx.query(
    `delete from passkeys where merchant_id = $1 and member_id = $2 and ($3::uuid is null or id = $3) returning true`,
    [merchantId, memberId, id === 'all' ? null : id],
  );
  return rows.length;
}

export const passkeyChallenges = table(
  'passkey_challenges',
  {
    hash: hexHash,
    purpose: oneOf(['register', 'sign_in', 'step_up']),
    /** The merchant and session that the answer must come from; null for a sign-in. */
    merchantId: nullable(uuid),
    sessionId: nullable(uuid),
    expiresAt: timestamp,
  },
  ['hash'],
);
export type Challenge = Omit<RowOf<typeof passkeyChallenges>, 'expiresAt'>;

/** Uses it up: of two answers to one challenge, one counts. */
export async function deleteChallenge(db: Queryable, challenge: Challenge, now: Date): Promise<boolean> {
  const rows = await db.query(
    `delete from passkey_challenges
      where hash = decode($1, 'hex') and purpose = $2 and merchant_id is not distinct from $3
        and session_id is not distinct from $4 and expires_at > $5 returning true`,
    [challenge.hash, challenge.purpose, challenge.merchantId, challenge.sessionId, now],
  );
  return rows.length > 0;
}
