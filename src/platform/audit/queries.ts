import { bigint, bytes, uuid, withDefault } from '../db/columns.ts';
import type { Queryable } from '../db/database.ts';
import { table } from '../db/table.ts';
import { firstIdAt } from '../lib/ids.ts';
import { CONTENT } from './content.ts';

/** Ends of the chains. Sequence and hash are of the last row there should be; 0 and empty before the first. */
export const auditHeads = table(
  'audit_heads',
  { merchantId: uuid, sequence: withDefault(bigint), hash: withDefault(bytes) },
  ['merchantId'],
);

export interface ChainedRow {
  id: string;
  sequence: bigint;
  hash: Buffer | null;
  content: string;
}

/** Ids of all merchants, including one whose head is missing, in order. */
export function listMerchantIds(db: Queryable, afterId: string, limit: number): Promise<{ id: string }[]> {
  return db.query('select id from merchants where id > $1 order by id limit $2', [afterId, limit]);
}

/** In the order of the chain, up to a head that was read before: later rows are another verification's. */
export function listChainedRows(
  db: Queryable,
  { merchantId, sequence }: { merchantId: string; sequence: bigint },
  after: Pick<ChainedRow, 'sequence' | 'id'>,
  limit: number,
): Promise<ChainedRow[]> {
  return db.query<ChainedRow>(
    `select id, sequence, hash, ${CONTENT} as content from audit_entries
      where merchant_id = $1 and sequence > 0 and sequence <= $2 and sequence >= $3 and (sequence, id) > ($3, $4::uuid)
      order by sequence, id limit $5`,
    [merchantId, sequence, after.sequence, after.id, limit],
  );
}

/** Rows behind the head or before the first: in one statement, so that a row and the head it moved are seen together. */
export function listRowsOutside(db: Queryable, merchantId: string, limit: number): Promise<{ id: string }[]> {
  return db.query(
    `select e.id from audit_entries e
      where e.merchant_id = $1
        and (e.sequence <= 0 or e.sequence > coalesce((select h.sequence from audit_heads h where h.merchant_id = $1), 0))
      order by e.sequence limit $2`,
    [merchantId, limit],
  );
}

/** Counts how often something was done to one object since a moment, and says when first. */
export async function countSince(
  db: Queryable,
  { merchantId, action, targetId }: { merchantId: string; action: string; targetId: string },
  since: Date,
): Promise<{ count: number; first: Date | null }> {
  const [row] = await db.query<{ count: number; first: Date | null }>(
    `select count(*)::int as count, min(created_at) as first from audit_entries
      where merchant_id = $1 and id >= $4 and action = $2 and target_id = $3 and created_at > $5`,
    [merchantId, action, targetId, firstIdAt(since), since],
  );
  return row!;
}
