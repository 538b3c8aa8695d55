import { bytes, nullable, smallint, text, timestamp, uuid } from '../db/columns.ts';
import type { Queryable } from '../db/database.ts';
import { deleteSlice } from '../db/delete-slice.ts';
import { table } from '../db/table.ts';

export const idempotencyKeys = table(
  'idempotency_keys',
  {
    merchantId: uuid,
    /** The operation and the ids in its path; API versions share it. */
    operation: text,
    key: text,
    fingerprint: bytes,
    resourceId: nullable(uuid),
    status: nullable(smallint),
    answer: nullable(text),
    createdAt: timestamp,
  },
  ['merchantId', 'operation', 'key'],
);

export interface KeyClaim {
  merchantId: string;
  operation: string;
  key: string;
  /** Hash in hex. */
  fingerprint: string;
}

export interface StoredAnswer {
  fingerprint: string;
  status: number | null;
  answer: string | null;
}

/** False if the key is in use; waits while another transaction is still deciding about it. */
export async function insertClaim(tx: Queryable, claim: KeyClaim, createdAt: Date): Promise<boolean> {
  const fingerprint = Buffer.from(claim.fingerprint, 'hex');
  const row = { ...claim, fingerprint, createdAt };
  return (await idempotencyKeys.insert(tx, row, 'on conflict do nothing returning true')).length > 0;
}

export interface AnsweredClaim extends KeyClaim {
  /** Distinguishes claims of one statement, because two of them may have the same key. */
  resourceId: string;
  status: number;
  answer: string;
}

/** Inserts claims with their answers; returns the resources of those whose key was free. In the order of the keys. */
export async function insertAnsweredClaims(
  tx: Queryable,
  claims: readonly AnsweredClaim[],
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `insert into idempotency_keys (merchant_id, operation, key, fingerprint, resource_id, status, answer, created_at)
     select "merchantId", operation, key, decode(fingerprint, 'hex'), "resourceId", status, answer, $2
       from json_to_recordset($1::json) as c("merchantId" uuid, operation text, key text, fingerprint text,
                                             "resourceId" uuid, status smallint, answer text)
      order by "merchantId", operation, key
     on conflict do nothing returning resource_id as id`,
    [JSON.stringify(claims), now],
  );
  return rows.map(({ id }) => id);
}

export async function findAnswer(
  db: Queryable,
  merchantId: string,
  operation: string,
  key: string,
): Promise<StoredAnswer | undefined> {
  const [row] = await db.query<StoredAnswer>(
    `select encode(fingerprint, 'hex') as fingerprint, status, answer from idempotency_keys
      where merchant_id = $1 and operation = $2 and key = $3`,
    [merchantId, operation, key],
  );
  return row;
}

/** Deletes one expired key; false if it is still valid, or gone. */
export async function deleteExpired(
  db: Queryable,
  { merchantId, operation, key }: KeyClaim,
  keptSince: Date,
): Promise<boolean> {
  const rows = await db.query(
    `delete from idempotency_keys
      where merchant_id = $1 and operation = $2 and key = $3 and created_at < $4 returning true`,
    [merchantId, operation, key, keptSince],
  );
  return rows.length > 0;
}

/** Returns how many were deleted; in slices, so that pruning never holds many locks. */
export async function deleteOlderThan(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `${deleteSlice('idempotency_keys', ['merchant_id', 'operation', 'key'], 'created_at < $1')} returning true`,
    [before, limit],
  );
  return rows.length;
}

/** Statement part that writes claims with their answers inside a larger statement. A select of the columns follows. */
export const INSERT_ANSWERED_CLAIMS = `
    insert into idempotency_keys (merchant_id, operation, key, fingerprint, resource_id, status, answer, created_at)`;
