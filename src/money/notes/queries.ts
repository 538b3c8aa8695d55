import { type ByCustomer, withMerged } from '../../accounts/customers/with-merged.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import type { Note, NoteRef } from './note.ts';

const COLUMNS = `id, merchant_id, customer_id, payment_intent_id,
  author, text, created_at, edited_at`;

export async function insertNote(tx: Queryable, note: Note): Promise<void> {
  const { merchantId, id, customerId, paymentIntentId, author, text, createdAt } = note;
  await tx.query(
    `insert into notes (merchant_id, id, customer_id, payment_intent_id, author, text, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [merchantId, id, customerId, paymentIntentId, author, text, createdAt],
  );
}

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
    `select ${COLUMNS} from notes
      where merchant_id = $1 and id < $2 and id >= $3 and ($5::uuid[] is null or customer_id = any($5))
        and ($6::uuid is null or payment_intent_id = $6)
      order by id desc limit $4`,
    [merchantId, range.beforeId, range.fromId, range.limit, customerIds, of.paymentIntentId ?? null],
  );
}

export async function lockNote(tx: Queryable, { merchantId, id }: NoteRef): Promise<Note | undefined> {
  const [row] = await tx.query<Note>(
    `select ${COLUMNS} from notes where merchant_id = $1 and id = $2 for update`,
    [merchantId, id],
  );
  return row;
}

export async function updateNote(tx: Queryable, { merchantId, id, text, editedAt }: Note): Promise<void> {
  await tx.query('update notes set text = $3, edited_at = $4 where merchant_id = $1 and id = $2', [
    merchantId,
    id,
    text,
    editedAt,
  ]);
}

export async function deleteNote(tx: Queryable, { merchantId, id }: NoteRef): Promise<void> {
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
