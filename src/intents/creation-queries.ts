import type { Queryable } from '../platform/db/database.ts';
import { INSERT_ANSWERED_CLAIMS } from '../platform/idempotency/queries.ts';
import type { Ref } from '../platform/lib/ref.ts';
import type { Intent } from './intent.ts';

/** One intent of a batch, as JSON: a bigint travels as text and loses nothing. */
export interface NewIntentRow {
  id: string;
  merchantId: string;
  orderId: string;
  amountCents: string;
  reference: string;
  destination: string;
  createdAt: string;
  expiresAt: string;
  key: string | null;
  fingerprint: string | null;
  answer: string;
}

/**
 * Inserts any number of new intents and their idempotency keys in one statement and one commit; returns the ids it
 * wrote. A row is written only if its order is unpaid, its destination is still the merchant's, no endpoint
 * wants an event of it, and its key was free;
 * rows of one batch are distinguished by their own id, because two of them may have the same key.
 */
export async function insertIntents(db: Queryable, rows: readonly NewIntentRow[]): Promise<{ id: string }[]> {
  return db.query<{ id: string }>(INSERT_INTENTS, [JSON.stringify(rows)]);
}

// The look-up of a paid order has a LIMIT, so that it stays one per row: the planner turns a plain EXISTS into
// one pass over all succeeded intents.
const INSERT_INTENTS = `
  with wanted as materialized (
    select r.*
      from json_to_recordset($1::json) as r(
             id uuid, "merchantId" uuid, "orderId" text, "amountCents" bigint, reference text, destination text,
             "createdAt" timestamptz, "expiresAt" timestamptz, key text, fingerprint text, answer text)
      join merchants m on m.id = r."merchantId" and m.payout_address = r.destination and not m.announces_intents
     where (select true from payment_intents p
             where p.merchant_id = r."merchantId" and p.order_id = r."orderId" and p.status = 'succeeded'
               and p.session_ordering_key is null
             limit 1) is null
  ), claimed as (${INSERT_ANSWERED_CLAIMS}
    select "merchantId", 'createIntent', key, decode(fingerprint, 'hex'), id, 200, answer, "createdAt"
      from wanted where key is not null order by "merchantId", key
        on conflict do nothing
    returning resource_id
  )
  insert into payment_intents (merchant_id, id, order_id, expected_amount_cents, reference_address,
                               destination_address, created_at, expires_at)
  select "merchantId", id, "orderId", "amountCents", reference, destination, "createdAt", "expiresAt"
    from wanted where key is null or id in (select resource_id from claimed)
  returning id`;

/** The same for one intent with a key: a lone request should not pay for the machinery of many. */
export async function insertIntentAlone(db: Queryable, row: NewIntentRow): Promise<{ id: string }[]> {
  return db.query<{ id: string }>(INSERT_INTENT_ALONE, [
    row.merchantId,
    row.id,
    row.orderId,
    row.amountCents,
    row.reference,
    row.destination,
    row.createdAt,
    row.expiresAt,
    row.key,
    row.fingerprint,
    row.answer,
  ]);
}

const INSERT_INTENT_ALONE = `
  with claimed as (${INSERT_ANSWERED_CLAIMS}
    select id, 'createIntent', $9, decode($10, 'hex'), $2, 200, $11, $7
      from merchants
     where id = $1 and payout_address = $6 and not announces_intents
       and not exists (select from payment_intents
                        where merchant_id = $1 and order_id = $3 and status = 'succeeded' and session_ordering_key is null)
        on conflict do nothing
    returning merchant_id, resource_id
  )
  insert into payment_intents (merchant_id, id, order_id, expected_amount_cents, reference_address,
                               destination_address, created_at, expires_at)
  select merchant_id, resource_id, $3::text, $4::bigint, $5::text, $6::text, $7::timestamptz, $8::timestamptz
    from claimed
  returning id`;

/** Intents of any kind, any number of them; returns the ids of those that are to be announced, as their merchants say. */
export async function insertAnyIntents(tx: Queryable, intents: readonly Intent[]): Promise<{ id: string }[]> {
  return tx.query<{ id: string }>(
    `with written as (
       insert into payment_intents (merchant_id, id, order_id, terminal_id, session_ordering_key, expected_amount_cents,
                                    reference_address, destination_address, created_at, expires_at, metadata, sequence)
       select w.*, m.announces_intents::integer
         from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::bigint[], $7::text[], $8::text[],
                     $9::timestamptz[], $10::timestamptz[], $11::jsonb[]) as w(merchant_id)
         join merchants m on m.id = w.merchant_id
       returning id, sequence
     )
     select id from written where sequence > 0`,
    [
      intents.map((intent) => intent.merchantId),
      intents.map((intent) => intent.id),
      intents.map((intent) => intent.orderId),
      intents.map((intent) => intent.terminalId),
      intents.map((intent) => intent.sessionOrderingKey),
      intents.map((intent) => intent.expectedAmountCents),
      intents.map((intent) => intent.referenceAddress),
      intents.map((intent) => intent.destinationAddress),
      intents.map((intent) => intent.createdAt),
      intents.map((intent) => intent.expiresAt),
      intents.map((intent) => JSON.stringify(intent.metadata)),
    ],
  );
}

export interface Obstacle {
  isOrderPaid: boolean;
  payoutAddress: string | null;
  announcesIntents: boolean;
}

/** Reads the reasons that may have prevented an intent from being written. */
export async function findObstacle(
  db: Queryable,
  merchantId: string,
  orderId: string,
): Promise<Obstacle | undefined> {
  const [row] = await db.query<Obstacle>(
    `select payout_address, announces_intents,
            exists (select from payment_intents p
                     where p.merchant_id = m.id and p.order_id = $2 and p.status = 'succeeded'
                       and p.session_ordering_key is null) as is_order_paid
       from merchants m where m.id = $1`,
    [merchantId, orderId],
  );
  return row;
}

export async function deleteIntents(tx: Queryable, refs: readonly Ref[]): Promise<void> {
  await tx.query(
    `delete from payment_intents t using unnest($1::uuid[], $2::uuid[]) as r(merchant_id, id)
      where t.merchant_id = r.merchant_id and t.id = r.id`,
    [refs.map(({ merchantId }) => merchantId), refs.map(({ id }) => id)],
  );
}
