import type { Queryable } from '../db/database.ts';
import type { Range } from '../http/list.ts';
import type { Intent, IntentStatus } from './intent.ts';

const COLUMNS = `
  i.id, i.merchant_id as "merchantId", i.order_id as "orderId", i.terminal_id as "terminalId",
  i.expected_amount_cents as "expectedAmountCents", i.received_base_units as "receivedBaseUnits",
  i.reference_address as "referenceAddress", i.destination_address as "destinationAddress", i.status,
  i.tx_signature as "txSignature", i.sequence, i.created_at as "createdAt", i.expires_at as "expiresAt",
  i.succeeded_at as "succeededAt"`;

export interface IntentRef {
  merchantId: string;
  id: string;
}

/** Many at once, in any order; concurrent reads share this statement. */
export async function listIntentsByRef(db: Queryable, refs: readonly IntentRef[]): Promise<Intent[]> {
  return db.query<Intent>(
    `select ${COLUMNS} from unnest($1::uuid[], $2::uuid[]) as r(merchant_id, id)
       join payment_intents i on i.merchant_id = r.merchant_id and i.id = r.id`,
    [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.id)],
  );
}

export interface IntentFilter {
  status?: IntentStatus[] | undefined;
  orderId?: string | undefined;
  terminalId?: string | undefined;
}

export async function listIntents(
  db: Queryable,
  merchantId: string,
  filter: IntentFilter,
  range: Range,
): Promise<Intent[]> {
  const values: unknown[] = [merchantId, range.beforeId, range.fromId, range.limit];
  const conditions = ['i.merchant_id = $1', 'i.id < $2', 'i.id >= $3'];
  const where = (condition: (place: string) => string, value: unknown) => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  where((place) => `i.status = any(${place})`, filter.status);
  where((place) => `i.order_id = ${place}`, filter.orderId);
  where((place) => `i.terminal_id = ${place}`, filter.terminalId);
  return db.query<Intent>(
    `select ${COLUMNS} from payment_intents i where ${conditions.join(' and ')} order by i.id desc limit $4`,
    values,
  );
}

/** Locks the row so that two callers cannot decide about one intent at once. */
export async function lockIntent(tx: Queryable, { merchantId, id }: IntentRef): Promise<Intent | undefined> {
  const [row] = await tx.query<Intent>(
    `select ${COLUMNS} from payment_intents i where i.merchant_id = $1 and i.id = $2 for no key update`,
    [merchantId, id],
  );
  return row;
}

/** Those whose time is up and that nobody else is handling at this moment. */
export async function lockDueIntents(tx: Queryable, now: Date, limit: number): Promise<Intent[]> {
  return tx.query<Intent>(
    `select ${COLUMNS} from payment_intents i
      where i.status in ('pending', 'failed') and i.expires_at <= $1
      order by i.expires_at limit $2 for no key update skip locked`,
    [now, limit],
  );
}

export async function updateStatuses(tx: Queryable, intents: readonly Intent[]): Promise<void> {
  await tx.query(
    `update payment_intents i set status = c.status, sequence = c.sequence
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::integer[]) as c(merchant_id, id, status, sequence)
      where i.merchant_id = c.merchant_id and i.id = c.id`,
    [
      intents.map((intent) => intent.merchantId),
      intents.map((intent) => intent.id),
      intents.map((intent) => intent.status),
      intents.map((intent) => intent.sequence),
    ],
  );
}

export async function insertIntent(tx: Queryable, intent: Intent): Promise<void> {
  await tx.query(
    `insert into payment_intents (merchant_id, id, order_id, terminal_id, expected_amount_cents, reference_address,
                                  destination_address, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      intent.merchantId,
      intent.id,
      intent.orderId,
      intent.terminalId,
      intent.expectedAmountCents,
      intent.referenceAddress,
      intent.destinationAddress,
      intent.createdAt,
      intent.expiresAt,
    ],
  );
}

export async function findPaidOrder(db: Queryable, merchantId: string, orderId: string): Promise<boolean> {
  const rows = await db.query(
    `select from payment_intents where merchant_id = $1 and order_id = $2 and status = 'succeeded' limit 1`,
    [merchantId, orderId],
  );
  return rows.length > 0;
}

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
 * Any number of new intents and their idempotency keys in one statement and one commit; answers the ids it
 * wrote. A row is written only if its order is unpaid, its destination is still the merchant's, and its key was
 * free; rows of one batch are told apart by their own id, because two of them may carry the same key.
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
      join merchants m on m.id = r."merchantId" and m.payout_address = r.destination
     where (select true from payment_intents p
             where p.merchant_id = r."merchantId" and p.order_id = r."orderId" and p.status = 'succeeded'
             limit 1) is null
  ), claimed as (
    insert into idempotency_keys (merchant_id, operation, key, fingerprint, resource_id, status, answer, created_at)
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
  with claimed as (
    insert into idempotency_keys (merchant_id, operation, key, fingerprint, resource_id, status, answer, created_at)
    select id, 'createIntent', $9, decode($10, 'hex'), $2, 200, $11, $7
      from merchants
     where id = $1 and payout_address = $6
       and not exists (select from payment_intents
                        where merchant_id = $1 and order_id = $3 and status = 'succeeded')
        on conflict do nothing
    returning merchant_id, resource_id
  )
  insert into payment_intents (merchant_id, id, order_id, expected_amount_cents, reference_address,
                               destination_address, created_at, expires_at)
  select merchant_id, resource_id, $3::text, $4::bigint, $5::text, $6::text, $7::timestamptz, $8::timestamptz
    from claimed
  returning id`;

export interface Obstacle {
  isOrderPaid: boolean;
  payoutAddress: string | null;
}

/** What may have kept an intent from being written. */
export async function findObstacle(
  db: Queryable,
  merchantId: string,
  orderId: string,
): Promise<Obstacle | undefined> {
  const [row] = await db.query<Obstacle>(
    `select payout_address as "payoutAddress",
            exists (select from payment_intents p
                     where p.merchant_id = m.id and p.order_id = $2 and p.status = 'succeeded') as "isOrderPaid"
       from merchants m where m.id = $1`,
    [merchantId, orderId],
  );
  return row;
}

/** Intents created per day, counted on the primary key alone: `bounds` are the first ids of each day. */
export async function listCreatedByDay(
  db: Queryable,
  merchantId: string,
  bounds: readonly string[],
): Promise<{ day: number; count: number }[]> {
  return db.query(
    `select (d.ordinal - 1)::integer as day, c.count::integer as count
       from unnest($2::uuid[], $3::uuid[]) with ordinality as d(from_id, to_id, ordinal)
      cross join lateral (select count(*) from payment_intents i
                           where i.merchant_id = $1 and i.id >= d.from_id and i.id < d.to_id) as c`,
    [merchantId, bounds.slice(0, -1), bounds.slice(1)],
  );
}

/** Successes and what they brought per day, counted from `from`. Each amount is floored to cents once. */
export async function listSucceededByDay(
  db: Queryable,
  merchantId: string,
  from: Date,
  to: Date,
): Promise<{ day: number; count: number; volumeCents: bigint }[]> {
  return db.query(
    `select (succeeded_at at time zone 'UTC')::date - ($2::timestamptz at time zone 'UTC')::date as day,
            count(*)::integer as count,
            sum(div(received_base_units, 10000)) as "volumeCents"
       from payment_intents
      where merchant_id = $1 and status = 'succeeded' and succeeded_at >= $2 and succeeded_at < $3
      group by 1`,
    [merchantId, from, to],
  );
}
