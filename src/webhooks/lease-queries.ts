import type { Queryable } from '../platform/db/database.ts';
import { isOpenMerchant } from '../platform/db/open-merchants.ts';
import type { Rooms } from './concurrency-limiter.ts';
import type { Claim, DeliveryStatus } from './delivery.ts';

export interface LeaseTimes {
  now: Date;
  leaseUntil: Date;
  /** When to look again at a first attempt that is waiting for the one before it: soon if that one is being sent. */
  soon: Date;
  later: Date;
}

/**
 * Leases due deliveries, the longest waiting endpoints first, each up to its capacity and its share of the slots. A
 * first attempt whose ordering key is busy is postponed until the one before it has had its turn.
 */
export async function updateLeases(
  db: Queryable,
  rooms: Rooms & { slots: number },
  times: LeaseTimes,
): Promise<Claim[]> {
  return db.query<Claim>(UPDATE_LEASES, [
    [...rooms.known.keys()],
    [...rooms.known.values()],
    rooms.usual,
    rooms.slots,
    times.now,
    times.leaseUntil,
    times.soon,
    times.later,
  ]);
}

/**
 * Address of an endpoint `w` of a merchant `m`, and the secret that signs for it: the first has the merchant's own; an
 * e-mail goes to a member.
 */
export const TARGET = `
  w.kind, w.chat_id,
  case when not w.is_active then null
       when w.member_id is null then coalesce(w.url, m.webhook_url)
       else (select w.url || o.email from members o
              where o.merchant_id = w.merchant_id and o.id = w.member_id and o.disabled_at is null and o.removed_at is null)
  end as url, coalesce(w.secret, m.webhook_secret) as secret,
  case when w.secret is null then m.previous_webhook_secret else w.previous_secret end as previous_secret,
  case when w.secret is null then m.previous_webhook_secret_until else w.previous_secret_until end as previous_secret_until`;

const UPDATE_LEASES = `
  with known as materialized (
    select * from unnest($1::uuid[], $2::integer[]) as k(endpoint_id, room)
  ), locked as materialized (
    select e.id, e.ctid as at from webhook_endpoints e
     where e.claim_at <= $5 and e.id not in (select endpoint_id from known where room <= 0)
       and ${isOpenMerchant('e.merchant_id')}
     order by e.claim_at limit least($4, 200) for no key update skip locked
  ), endpoints as materialized (
    -- is_same: nobody changed the row since this statement began to look, so what it sees is all there is.
    select l.id, l.at = e.ctid as is_same,
           least(coalesce(k.room, $3), greatest(1, $4 / (select count(*)::integer from locked))) as free
      from locked l join webhook_endpoints e on e.id = l.id
      left join known k on k.endpoint_id = l.id
  ), due as materialized (
    select d.* from endpoints r cross join lateral (
      select d.ctid as at, d.endpoint_id, d.ordering_key, d.ordinal, d.attempt_count, d.resend_of
        from webhook_deliveries d
       where d.endpoint_id = r.id and d.next_attempt_at <= $5
         and (d.lease_until is null or d.lease_until <= $5)
       order by d.next_attempt_at, d.ordinal limit r.free for update skip locked
    ) d
  ), judged as materialized (
    -- Only the one just before counts: it could not have been tried before its own turn came either.
    select d.at, d.endpoint_id, coalesce(before.opens_at > $5, false) as is_early, before.opens_at
      from due d left join lateral (
        select case when p.attempt_count > 0 then p.holds_order_until
                    when p.lease_until > $5 then $7 else $8 end as opens_at
          from webhook_deliveries p
         where d.attempt_count = 0 and d.resend_of is null
           and p.endpoint_id = d.endpoint_id and p.ordering_key = d.ordering_key and p.ordinal < d.ordinal
           and p.next_attempt_at is not null and p.resend_of is null
         order by p.ordinal desc limit 1
      ) before on true
  ), put_off as (
    update webhook_deliveries d set next_attempt_at = j.opens_at from judged j where j.is_early and d.ctid = j.at
  ), leased as (
    update webhook_deliveries d set lease_id = gen_random_uuid(), lease_until = $6
      from judged j where not j.is_early and d.ctid = j.at
    returning d.merchant_id, d.endpoint_id, d.id, d.event_id, d.lease_id, d.attempt_count, d.next_attempt_at, d.ordinal
  ), counts as (
    select endpoint_id, count(*) as due, min(opens_at) filter (where is_early) as opens_at from judged group by 1
  ), told as (
    update webhook_endpoints e set claim_at = least(
        (select min(d.next_attempt_at) from webhook_deliveries d
          where d.endpoint_id = e.id and d.next_attempt_at > $5),
        c.opens_at,
        -- Somebody must look again when a lease has run out, and at once for what was skipped because another holds its row.
        (select min(case when d.lease_until > $5 then d.lease_until
                         when d.ctid = any(array(select at from judged)) then $6 else d.next_attempt_at end)
           from webhook_deliveries d where d.endpoint_id = e.id and d.next_attempt_at <= $5))
      from endpoints r left join counts c on c.endpoint_id = r.id
     where e.id = r.id and r.is_same and coalesce(c.due, 0) < r.free
  )
  select l.merchant_id, l.endpoint_id, l.id, l.event_id, l.lease_id,
         $6::timestamptz as lease_until, l.attempt_count + 1 as number, ${TARGET}, e.body
    from leased l join webhook_endpoints w on w.id = l.endpoint_id join merchants m on m.id = w.merchant_id
    left join events e on e.merchant_id = l.merchant_id and e.id = l.event_id
   order by l.next_attempt_at, l.ordinal`;

export interface ResultRow {
  merchantId: string;
  id: string;
  leaseId: string;
  status: DeliveryStatus;
  url: string | null;
  startedAt: string;
  httpStatus: number | null;
  error: string | null;
  durationMs: number;
  responseBody: string | null;
  nextAttemptAt: string | null;
  holdsOrderUntil: string | null;
}

/** Returns the ids of those whose lease was still theirs. */
export async function updateResults(db: Queryable, rows: readonly ResultRow[], now: Date): Promise<string[]> {
  const column = (name: keyof ResultRow) => rows.map((row) => row[name]);
  const recorded = await db.query<{ id: string }>(UPDATE_RESULTS, [
    column('merchantId'),
    column('id'),
    column('leaseId'),
    column('status'),
    column('url'),
    column('startedAt'),
    column('httpStatus'),
    column('error'),
    column('durationMs'),
    column('responseBody'),
    column('nextAttemptAt'),
    column('holdsOrderUntil'),
    now,
  ]);
  return recorded.map((row) => row.id);
}

const UPDATE_RESULTS = `
  with recorded as (
    update webhook_deliveries d
       set status = g.status, url = coalesce(g.url, d.url), attempt_count = d.attempt_count + 1,
           attempts = d.attempts || jsonb_build_object(
             'number', d.attempt_count + 1, 'startedAt', g.started_at, 'durationMs', g.duration_ms,
             'httpStatus', g.http_status, 'error', g.error),
           http_status = g.http_status, error = g.error,
           duration_ms = g.duration_ms, response_body = g.response_body, next_attempt_at = g.next_attempt_at,
           -- An ordering key waits once: behind one that is still failing no other holds it for longer.
           holds_order_until = coalesce(d.holds_order_until, case when g.holds_order_until is not null then least(
             g.holds_order_until,
             (select p.holds_order_until from webhook_deliveries p
               where p.endpoint_id = d.endpoint_id and p.ordering_key = d.ordering_key and p.ordinal < d.ordinal
                 and p.next_attempt_at is not null and p.resend_of is null and p.holds_order_until is not null
               order by p.ordinal limit 1)) end),
           lease_id = null, lease_until = null, delivered_at = case when g.status = 'succeeded' then $13::timestamptz end
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::smallint[], $8::text[],
                  $9::integer[], $10::text[], $11::timestamptz[], $12::timestamptz[])
           as g(merchant_id, id, lease_id, status, url, started_at, http_status, error, duration_ms, response_body,
                next_attempt_at, holds_order_until)
     cross join lateral (
        select h.ctid as at from webhook_deliveries h
         where h.merchant_id = g.merchant_id and h.id = g.id and h.lease_id = g.lease_id limit 1
      ) held
     where d.ctid = held.at
    returning d.endpoint_id, d.id, d.ordering_key, d.ordinal, d.resend_of, d.attempt_count, d.next_attempt_at,
              case when d.next_attempt_at is null then $13 else d.holds_order_until end as opens_at
  ), followers as materialized (
    -- The next of the ordering key may go: at once if this one is done, else when it has held the ordering key long enough.
    select f.merchant_id, f.id, r.opens_at
      from recorded r cross join lateral (
        select f.merchant_id, f.id, f.lease_id from webhook_deliveries f
         where f.endpoint_id = r.endpoint_id and f.ordering_key = r.ordering_key and f.ordinal > r.ordinal
           and f.attempt_count = 0 and f.next_attempt_at is not null and f.resend_of is null
         order by f.ordinal limit 1
      ) f
     where r.resend_of is null and (r.attempt_count = 1 or r.next_attempt_at is null) and f.lease_id is null
  ), opened as (
    -- Found by their keys alone: with more conditions, a plan made for an empty table reads all deliveries.
    update webhook_deliveries n
       set next_attempt_at = case when n.attempt_count = 0 and n.lease_id is null
                                  then least(n.next_attempt_at, f.opens_at) else n.next_attempt_at end
      from followers f where n.merchant_id = f.merchant_id and n.id = f.id
    returning n.endpoint_id, n.next_attempt_at
  ), wakes as materialized (
    select endpoint_id, min(next_attempt_at) as at
      from (select endpoint_id, next_attempt_at from recorded where next_attempt_at is not null
            union all select endpoint_id, next_attempt_at from opened) as w
     group by 1
  ), locked as materialized (
    -- In order, so that two workers never wait for each other in a circle.
    select id from webhook_endpoints where id in (select endpoint_id from wakes) order by id for no key update
  ), told as (
    update webhook_endpoints e set claim_at = least(e.claim_at, w.at)
      from wakes w join locked l on l.id = w.endpoint_id where e.id = w.endpoint_id
  )
  select id from recorded`;
