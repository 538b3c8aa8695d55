import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { type ByCustomer, withMerged } from '../customers/with-merged.ts';
import { type Note, notes } from './note.ts';

/** Newest first. */
export async function listNotes(
  db: Queryable,
  merchantId: string,
  of: ByCustomer & { paymentIntentId?: string },
  range: Range,
): Promise<Note[]> {
  const { customerId, customerIds = customerId === undefined ? null : [customerId] } = await withMerged(
    db,
    merchantId,
    of,
  );
  return db.query<Note>(
    `select ${notes.columns()} from notes
      where merchant_id = $1 and id < $2 and id >= $3 and ($5::uuid[] is null or customer_id = any($5))
        and ($6::uuid is null or payment_intent_id = $6)
      order by id desc limit $4`,
    [merchantId, range.beforeId, range.fromId, range.limit, customerIds, of.paymentIntentId ?? null],
  );
}

export const lockNote = (tx: Queryable, { merchantId, id }: Ref) =>
  notes.find(tx, { merchantId, id }, 'for update');

export async function deleteNote(tx: Queryable, { merchantId, id }: Ref): Promise<void> {
  await tx.query('delete from notes where merchant_id = $1 and id = $2', [merchantId, id]);
}

/** A payment, and whose it is; undefined where there is no such payment. */
export async function findPayment(
  db: Queryable,
  merchantId: string,
  intentId: string,
): Promise<{ customerId: string | null } | undefined> {
  const [row] = await db.query<{ customerId: string | null }>(
    `select s.customer_id from payment_intents i
       left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
      where i.merchant_id = $1 and i.id = $2`,
    [merchantId, intentId],
  );
  return row;
}
