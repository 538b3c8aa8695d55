import type { Queryable } from '../db/database.ts';
import type { Intent } from '../intents/intent.ts';

export interface PastedSignature {
  signature: string;
  pastedAt: Date;
}

/** True when it waits to be read now: it is new and has room, or it waited already. */
export async function insertPasted(
  db: Queryable,
  { merchantId, id }: Intent,
  signature: string,
  now: Date,
  max: number,
): Promise<boolean> {
  const rows = await db.query(
    `insert into pasted_signatures (merchant_id, intent_id, signature, pasted_at)
     select $1, $2, $3, $4 where (
       select count(*) from pasted_signatures where merchant_id = $1 and intent_id = $2 and signature <> $3) < $5
     on conflict (merchant_id, intent_id, signature) do update set signature = excluded.signature
     returning signature`,
    [merchantId, id, signature, now, max],
  );
  return rows.length > 0;
}

export async function listPasted(db: Queryable, { merchantId, id }: Intent): Promise<PastedSignature[]> {
  return db.query<PastedSignature>(
    `select signature, pasted_at as "pastedAt" from pasted_signatures where merchant_id = $1 and intent_id = $2`,
    [merchantId, id],
  );
}

export async function deletePasted(
  db: Queryable,
  { merchantId, id }: Intent,
  signature: string,
): Promise<void> {
  await db.query(
    'delete from pasted_signatures where merchant_id = $1 and intent_id = $2 and signature = $3',
    [merchantId, id, signature],
  );
}
