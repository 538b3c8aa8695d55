import type { Queryable } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { PAIRED, type PairedTill, type Till, tills } from './till.ts';

/** False if the terminal has a till already: the index decides. */
export async function insertTill(tx: Queryable, till: Till): Promise<boolean> {
  const once = 'on conflict (merchant_id, terminal_id) where unpaired_at is null do nothing returning id';
  return (await tills.insert(tx, till, once)).length > 0;
}

/** A code nobody has used. */
export async function deleteUnusedCode(tx: Queryable, merchantId: string, terminalId: string): Promise<void> {
  await tx.query('delete from tills where merchant_id = $1 and terminal_id = $2 and code_hash is not null', [
    merchantId,
    terminalId,
  ]);
}

/** Paired tills, the newest first. */
export const listTills = (db: Queryable, merchantId: string) =>
  tills.list(db, { merchantId }, 'and paired_at is not null and unpaired_at is null order by id desc');

/**
 * Exchanges a code for a key; none if the code was used, has expired or is unknown. Of two concurrent uses, one waits
 * and finds it used.
 */
export async function updatePaired(
  tx: Queryable,
  codeHash: string,
  { keyHash, now }: { keyHash: string; now: Date },
): Promise<Till | undefined> {
  const [row] = await tx.query<Till>(
    `update tills set code_hash = null, code_expires_at = null, key_hash = decode($2, 'hex'), paired_at = $3, last_seen_at = $3
      where code_hash = decode($1, 'hex') and code_expires_at > $3
      returning ${tills.columns()}`,
    [codeHash, keyHash, now],
  );
  return row;
}

export async function findPairedTill(db: Queryable, keyHash: string): Promise<PairedTill | undefined> {
  const [row] = await db.query<PairedTill>(
    `select ${tills.columns('t', PAIRED)}, m.verification_status, m.payout_address
       from tills t join merchants m on m.id = t.merchant_id
      where t.key_hash = decode($1, 'hex') and t.unpaired_at is null`,
    [keyHash],
  );
  return row;
}

export async function updateTillSeen(db: Queryable, { merchantId, id }: Ref, now: Date): Promise<void> {
  await db.query(
    'update tills set last_seen_at = $3 where merchant_id = $1 and id = $2 and last_seen_at < $3',
    [merchantId, id, now],
  );
}

/** Unpairs a till; undefined if it was neither paired nor waiting for its code. */
export async function updateUnpaired(
  tx: Queryable,
  { merchantId, id, now }: { merchantId: string; id: string; now: Date },
): Promise<Till | undefined> {
  const [row] = await tx.query<Till>(
    `update tills set unpaired_at = $3, code_hash = null, code_expires_at = null
      where merchant_id = $1 and id = $2 and unpaired_at is null returning ${tills.columns()}`,
    [merchantId, id, now],
  );
  return row;
}

/** The number of the till's next sale; none if it was unpaired meanwhile. The till stays locked. */
export async function updateSaleCount(
  tx: Queryable,
  merchantId: string,
  id: string,
): Promise<number | undefined> {
  const [row] = await tx.query<{ number: number }>(
    `update tills set sale_count = sale_count + 1
      where merchant_id = $1 and id = $2 and unpaired_at is null returning sale_count as number`,
    [merchantId, id],
  );
  return row?.number;
}
