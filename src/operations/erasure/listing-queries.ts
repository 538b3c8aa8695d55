import type { Queryable } from '../../platform/db/database.ts';
import type { CustomerRef } from '../../platform/lib/ref.ts';
import type { Stage } from './erasure.ts';
import type { StoredEvent } from './overwrite-queries.ts';

/** Stages whose rows are the customer's. */
export type RowStage = Exclude<Stage, 'customer' | 'idempotency_keys'>;

const FIRST = '00000000-0000-0000-0000-000000000000';

export async function listRows(
  tx: Queryable,
  stage: RowStage,
  { merchantId, customerId, afterId }: CustomerRef & { afterId: string | null },
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `select id from ${stage} where merchant_id = $1 and customer_id = $2 and id > $3 order by id limit $4`,
    [merchantId, customerId, afterId ?? FIRST, limit],
  );
  return rows.map(({ id }) => id);
}

export interface EventPlace {
  afterEventObjectId: string | null;
  afterEventSequence: number | null;
}

export async function listEvents(
  tx: Queryable,
  merchantId: string,
  objectIds: readonly string[],
  { afterEventObjectId, afterEventSequence }: EventPlace,
  limit: number,
): Promise<StoredEvent[]> {
  return tx.query<StoredEvent>(
    `select id, event, object_id, sequence, body from events
      where merchant_id = $1 and object_id = any($2) and (object_id, sequence) > ($3, $4)
      order by object_id, sequence limit $5`,
    [merchantId, objectIds, afterEventObjectId ?? FIRST, afterEventSequence ?? 0, limit],
  );
}

/** Rows of all stages and the events of all of them; what a customer’s exceptions have come on top of it. */
export async function countAll(
  tx: Queryable,
  { merchantId, customerId }: CustomerRef,
  ownIds: readonly string[],
): Promise<bigint> {
  const of = (table: string) => `select id from ${table} where merchant_id = $1 and customer_id = $2`;
  const [row] = await tx.query<{ count: bigint }>(
    `with sessions as (select id, payment_intent_id from checkout_sessions where merchant_id = $1 and customer_id = $2),
          objects as (
            select id from sessions union all select payment_intent_id from sessions union all ${of('subscriptions')}
            union all ${of('invoices')} union all ${of('refunds')} union all select unnest($3::uuid[]))
     select (select count(*) from events e join objects o on o.id = e.object_id where e.merchant_id = $1)
          + (select count(*) from sessions)
          + ${['subscriptions', 'invoices', 'refunds', 'postings', 'usage_records']
            .map((table) => `(select count(*) from (${of(table)}) as counted)`)
            .join(' + ')} as count`,
    [merchantId, customerId, ownIds],
  );
  return row!.count;
}

/** True while any of these events still has no deliveries. */
export async function hasUndispatched(
  tx: Queryable,
  merchantId: string,
  eventIds: readonly string[],
): Promise<boolean> {
  const rows = await tx.query(
    'select from undispatched_events where merchant_id = $1 and event_id = any($2) limit 1',
    [merchantId, eventIds],
  );
  return rows.length > 0;
}

/**
 * Locks what is sent of these events. True where some of it is being sent at this moment: what the receiver answers
 * would be stored afterwards.
 */
export async function lockDeliveries(
  tx: Queryable,
  merchantId: string,
  eventIds: readonly string[],
  realNow: Date,
): Promise<boolean> {
  let isSending = false;
  for (const one of ['resend_of is null', 'resend_of is not null']) {
    const rows = await tx.query<{ isSending: boolean }>(
      `select coalesce(lease_until > $3, false) as is_sending from webhook_deliveries
        where merchant_id = $1 and event_id = any($2) and ${one} order by id for update`,
      [merchantId, eventIds, realNow],
    );
    isSending ||= rows.some((row) => row.isSending);
  }
  return isSending;
}

export interface StoredKey {
  operation: string;
  key: string;
  answer: string | null;
}

export async function listKeys(
  tx: Queryable,
  merchantId: string,
  { operation, key }: { operation: string; key: string },
  limit: number,
): Promise<StoredKey[]> {
  return tx.query<StoredKey>(
    `select operation, key, answer from idempotency_keys where merchant_id = $1 and (operation, key) > ($2, $3)
      order by operation, key limit $4`,
    [merchantId, operation, key, limit],
  );
}

/** Returns those of these ids that belong to the customer or to one of their objects. */
export async function listOwnIds(
  tx: Queryable,
  { merchantId, customerId }: CustomerRef,
  ids: readonly string[],
): Promise<string[]> {
  const of = (table: string) =>
    `select id from ${table} where merchant_id = $1 and id = any($3) and customer_id = $2`;
  const rows = await tx.query<{ id: string }>(
    `${['checkout_sessions', 'subscriptions', 'invoices', 'refunds', 'postings', 'usage_records']
      .map(of)
      .join(' union all ')}
     union all select payment_intent_id from checkout_sessions
                where merchant_id = $1 and payment_intent_id = any($3) and customer_id = $2
     union all select e.id from payment_exceptions e
                 join checkout_sessions s on s.merchant_id = e.merchant_id
                  and s.payment_intent_id = coalesce(e.linked_intent_id, e.intent_id)
                where e.merchant_id = $1 and e.id = any($3) and s.customer_id = $2
     union all select e.id from payment_exceptions e
                 join postings p on p.merchant_id = e.merchant_id and p.id = e.posting_id
                where e.merchant_id = $1 and e.id = any($3) and p.customer_id = $2`,
    [merchantId, customerId, ids],
  );
  return rows.map(({ id }) => id);
}
