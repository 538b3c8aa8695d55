import type { Queryable } from '../platform/db/database.ts';
import { deleteSlice } from '../platform/db/delete-slice.ts';
import { isOpenMerchant } from '../platform/db/open-merchants.ts';
import type { Range } from '../platform/http/list.ts';
import type { Ref } from '../platform/lib/ref.ts';
import { type Delivery, type DeliveryStatus, webhookDeliveries } from './delivery.ts';
import type { EndpointKind } from './endpoint.ts';
import { TARGET } from './lease-queries.ts';

const COLUMNS = `${webhookDeliveries.columns('d')}, coalesce(d.endpoint_id, d.merchant_id) as endpoint_id,
  (select e.body from events e where e.merchant_id = d.merchant_id and e.id = d.event_id) as request_body`;

export async function findDelivery(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<Delivery | undefined> {
  const [row] = await db.query<Delivery>(
    `select ${COLUMNS} from webhook_deliveries d where d.merchant_id = $1 and d.id = $2`,
    [merchantId, id],
  );
  return row;
}

export interface DeliveryFilter {
  status?: DeliveryStatus[] | undefined;
  event?: string | undefined;
  endpointId?: string | undefined;
}

export async function listDeliveries(
  db: Queryable,
  merchantId: string,
  { status, event, endpointId }: DeliveryFilter,
  range: Range,
): Promise<Delivery[]> {
  const values: unknown[] = [merchantId, range.beforeId, range.fromId, range.limit];
  const conditions = ['d.merchant_id = $1', 'd.id < $2', 'd.id >= $3'];
  if (status) conditions.push(`d.status = any($${values.push(status)})`);
  // The few failing ones have their own index; the planner only uses it with this condition.
  if (status?.every((one) => one === 'retrying' || one === 'failed'))
    conditions.push(`d.status in ('retrying', 'failed')`);
  if (endpointId !== undefined)
    conditions.push(ofEndpoint(`$${values.push(endpointId)}`, endpointId === merchantId));
  if (event !== undefined) conditions.push(`d.event = $${values.push(event)}`);
  return db.query<Delivery>(
    `select ${COLUMNS} from webhook_deliveries d where ${conditions.join(' and ')} order by d.id desc limit $4`,
    values,
  );
}

/** The first endpoint has nearly all deliveries; those of the others have their own index. */
function ofEndpoint(place: string, isFirst: boolean): string {
  return isFirst
    ? `coalesce(d.endpoint_id, d.merchant_id) = ${place}`
    : `d.endpoint_id = ${place} and d.endpoint_id <> d.merchant_id`;
}

/** Is there anything to dispatch or to start? One cheap question for an idle worker. */
export async function findWork(
  db: Queryable,
  now: Date,
  without: readonly string[],
): Promise<{ hasEvents: boolean; hasDue: boolean }> {
  const [row] = await db.query<{ hasEvents: boolean; hasDue: boolean }>(
    `select exists (select from undispatched_events) as has_events,
            exists (select from webhook_endpoints where claim_at <= $1 and id <> all($2::uuid[])) as has_due`,
    [now, without],
  );
  return row!;
}

export interface Endpoint {
  /** Id of the endpoint; that of the first one is the merchant's. */
  endpointId: string;
  merchantId: string;
  /** When its next delivery can start; null if there is none. */
  claimAt: Date | null;
  /** Null: it has none, or is switched off. */
  url: string | null;
  /** Null: everything but what is sent only by name. */
  eventTypes: string[] | null;
  kind: EndpointKind;
  chatId: string | null;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousSecretUntil: Date | null;
}

/** Locks the endpoints of these merchants, in order, so that workers never deadlock. */
export async function lockEndpoints(tx: Queryable, merchantIds: readonly string[]): Promise<Endpoint[]> {
  return tx.query<Endpoint>(
    `with locked as materialized (
       select * from webhook_endpoints where merchant_id = any($1::uuid[]) order by id for no key update
     )
     select w.id as endpoint_id, w.merchant_id, w.claim_at, w.event_types,
            ${TARGET}
       from locked w join merchants m on m.id = w.merchant_id`,
    [merchantIds],
  );
}

/** The first endpoint of each, where it is not there yet. */
export async function insertFirstEndpoints(tx: Queryable, merchantIds: readonly string[]): Promise<void> {
  await tx.query(
    `insert into webhook_endpoints (id, merchant_id) select id, id from unnest($1::uuid[]) as m(id) order by id
         on conflict do nothing`,
    [merchantIds],
  );
}

/** Merchants of these endpoints that have no other endpoint which could take anything. */
export async function listMerchantsFull(db: Queryable, endpointIds: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ merchantId: string }>(
    `select distinct e.merchant_id from webhook_endpoints e
      where e.id = any($1::uuid[]) and not exists (
            select from webhook_endpoints o join merchants m on m.id = o.merchant_id
             where o.merchant_id = e.merchant_id and o.id <> all($1::uuid[]) and o.is_active
               and coalesce(o.url, m.webhook_url) is not null)`,
    [endpointIds],
  );
  return rows.map(({ merchantId }) => merchantId);
}

export interface NewDelivery {
  endpointId: string;
  merchantId: string;
  id: string;
  eventId: string;
  event: string;
  ordinal: bigint;
  orderingKey: string;
  url: string;
  /** Set if it can start right away, provided its ordering key is free. */
  leaseId: string | null;
}

/** Returns the ids of those that were leased; the endpoints must be locked. */
export async function insertDeliveries(
  tx: Queryable,
  rows: readonly NewDelivery[],
  times: { now: Date; leaseUntil: Date },
): Promise<string[]> {
  const column = (name: keyof NewDelivery) => rows.map((row) => row[name]);
  const leased = await tx.query<{ id: string }>(INSERT_DELIVERIES, [
    column('merchantId'),
    column('id'),
    column('eventId'),
    column('event'),
    column('ordinal'),
    column('orderingKey'),
    column('url'),
    column('leaseId'),
    times.now,
    times.leaseUntil,
    column('endpointId'),
  ]);
  return leased.map((row) => row.id);
}

const INSERT_DELIVERIES = `
  with given as materialized (
    select g.*, lease_id is not null and not exists (
             select from webhook_deliveries p
              where p.endpoint_id = g.endpoint_id and p.ordering_key = g.ordering_key
                and p.next_attempt_at is not null and p.resend_of is null) as starts
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bigint[], $6::uuid[], $7::text[], $8::uuid[],
                  $11::uuid[])
           as g(merchant_id, id, event_id, event, ordinal, ordering_key, url, lease_id, endpoint_id)
  ), inserted as (
    insert into webhook_deliveries (merchant_id, id, event_id, event, ordinal, ordering_key, url, next_attempt_at,
                                    lease_id, lease_until, created_at, endpoint_id)
    select merchant_id, id, event_id, event, ordinal, ordering_key, url, $9, case when starts then lease_id end,
           case when starts then $10::timestamptz end, $9, endpoint_id
      from given
  ), told as (
    update webhook_endpoints e set claim_at = least(e.claim_at, w.at)
      from (select endpoint_id, min(case when starts then $10 else $9 end) as at from given group by 1) as w
     where e.id = w.endpoint_id
  )
  select id from given where starts`;

/** Events up to `ordinal` need no delivery. */
export async function updateSettled(
  tx: Queryable,
  settled: readonly { endpointId: string; ordinal: bigint }[],
): Promise<void> {
  await tx.query(
    `update webhook_endpoints e set settled_through = greatest(e.settled_through, s.ordinal)
       from unnest($1::uuid[], $2::bigint[]) as s(endpoint_id, ordinal) where e.id = s.endpoint_id`,
    [settled.map((one) => one.endpointId), settled.map((one) => one.ordinal)],
  );
}

/** To the same endpoint; undefined when that has no URL, is switched off or gone. */
export async function insertResend(
  tx: Queryable,
  merchantId: string,
  deliveryId: string,
  id: string,
  now: Date,
): Promise<Delivery | undefined> {
  await tx.query(
    `with target as materialized (
       select w.id, coalesce(w.url, m.webhook_url) as url, d.merchant_id, d.id as resend_of, d.event_id, d.event, d.ordinal, d.ordering_key
         from webhook_deliveries d join merchants m on m.id = d.merchant_id
         join webhook_endpoints w on w.id = coalesce(d.endpoint_id, d.merchant_id) and w.is_active
        where d.merchant_id = $1 and d.id = $2 and coalesce(w.url, m.webhook_url) is not null
          for no key update of w
     ), inserted as (
       insert into webhook_deliveries (merchant_id, id, event_id, event, ordinal, ordering_key, resend_of, url, next_attempt_at, created_at, endpoint_id)
       select merchant_id, $3, event_id, event, ordinal, ordering_key, resend_of, url, $4, $4, id from target
       returning endpoint_id
     )
     update webhook_endpoints e set claim_at = least(e.claim_at, $4) from inserted i where e.id = i.endpoint_id`,
    [merchantId, deliveryId, id, now],
  );
  return findDelivery(tx, merchantId, id);
}

/** How many deliveries are not finished, up to `most`, and when the first of them could have been started. */
export async function findDeliveryBacklog(
  db: Queryable,
  most: number,
): Promise<{ count: number; dueAt: Date | null }> {
  const [row] = await db.query<{ count: number; dueAt: Date | null }>(
    `select (select count(*)::integer from (
               select from webhook_deliveries where next_attempt_at is not null and ${isOpenMerchant()} limit $1) as waiting) as count,
            (select min(claim_at) from webhook_endpoints where ${isOpenMerchant()}) as due_at`,
    [most],
  );
  return row!;
}

/** Finished ones only. Returns how many were deleted. */
export async function deleteOlderThan(tx: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    `with gone as (
       ${deleteSlice('webhook_deliveries', ['merchant_id', 'id'], 'created_at < $1 and next_attempt_at is null')}
       returning coalesce(t.endpoint_id, t.merchant_id) as endpoint_id, t.ordinal
     ), settled as (
       select endpoint_id, max(ordinal) as ordinal from gone group by 1
     ), locked as materialized (
       select id from webhook_endpoints where id in (select endpoint_id from settled) order by id for no key update
     ), told as (
       update webhook_endpoints e set settled_through = greatest(e.settled_through, s.ordinal)
         from locked l join settled s on s.endpoint_id = l.id where e.id = l.id
     )
     select count(*)::integer as count from gone`,
    [before, limit],
  );
  return rows[0]!.count;
}

/** Deletes finished deliveries of events that are gone; resent ones, and those still being sent, go by age. */
export async function deleteDeliveriesOf(tx: Queryable, events: readonly Ref[]): Promise<void> {
  await tx.query(
    `delete from webhook_deliveries d using unnest($1::uuid[], $2::uuid[]) as e(merchant_id, id)
      where d.merchant_id = e.merchant_id and d.event_id = e.id and d.resend_of is null and d.next_attempt_at is null`,
    [events.map(({ merchantId }) => merchantId), events.map(({ id }) => id)],
  );
}
