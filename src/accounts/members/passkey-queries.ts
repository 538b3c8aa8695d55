import type { Queryable } from '../../platform/db/database.ts';

export interface Passkey {
  merchantId: string;
  id: string;
  memberId: string;
  name: string;
  credentialId: Buffer;
  /** COSE, as the authenticator gave it. */
  publicKey: Buffer;
  counter: bigint;
  transports: string[];
  /** Synced by a password manager or an account, so it outlives the device. */
  isSynced: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const COLUMNS = `
  merchant_id, id, member_id, name, credential_id,
  public_key, counter, transports, is_synced, created_at,
  last_used_at`;

/** False when this credential is registered already. */
export async function insertPasskey(tx: Queryable, passkey: Passkey): Promise<boolean> {
  const rows = await tx.query(
    `insert into passkeys (merchant_id, id, member_id, name, credential_id, public_key, counter, transports, is_synced,
                           created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing returning true`,
    [
      passkey.merchantId,
      passkey.id,
      passkey.memberId,
      passkey.name,
      passkey.credentialId,
      passkey.publicKey,
      passkey.counter,
      passkey.transports,
      passkey.isSynced,
      passkey.createdAt,
    ],
  );
  return rows.length > 0;
}

export async function listPasskeys(db: Queryable, merchantId: string, memberId: string): Promise<Passkey[]> {
  return db.query<Passkey>(
    `select ${COLUMNS} from passkeys where merchant_id = $1 and member_id = $2 order by id desc`,
    [merchantId, memberId],
  );
}

/** Any member's: the passkey itself says who signs in. */
export async function findPasskeyByCredential(
  db: Queryable,
  credentialId: Buffer,
): Promise<Passkey | undefined> {
  const [row] = await db.query<Passkey>(`select ${COLUMNS} from passkeys where credential_id = $1`, [
    credentialId,
  ]);
  return row;
}

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
    `update passkeys set name = $4 where merchant_id = $1 and member_id = $2 and id = $3 returning ${COLUMNS}`,
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

export interface Challenge {
  hash: string;
  purpose: 'register' | 'sign_in' | 'step_up';
  /** The merchant and session that the answer must come from; null for a sign-in. */
  merchantId: string | null;
  sessionId: string | null;
}

export async function insertChallenge(db: Queryable, challenge: Challenge, expiresAt: Date): Promise<void> {
  await db.query(
    `insert into passkey_challenges (hash, purpose, merchant_id, session_id, expires_at)
     values (decode($1, 'hex'), $2, $3, $4, $5)`,
    [challenge.hash, challenge.purpose, challenge.merchantId, challenge.sessionId, expiresAt],
  );
}

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
