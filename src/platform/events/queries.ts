import { LOCKS } from '../db/advisory-locks.ts';
import type { Queryable } from '../db/database.ts';
import { isOpenMerchant } from '../db/open-merchants.ts';
import type { Range } from '../http/list.ts';
import { firstIdAt } from '../lib/ids.ts';
import type { Ref } from '../lib/ref.ts';
import type { NewEvent } from './event.ts';

export type EventRow = Omit<NewEvent, 'data' | 'metadata'> & { id: string; body: string };

/** Each event, in the given order, with its note that it is still to be dispatched. */
export async function insertEvents(tx: Queryable, rows: readonly EventRow[], now: Date): Promise<void> {
  await tx.query(
    `with written as (
       insert into events (merchant_id, id, event, object_type, object_id, sequence, status, previous_status, ordering_key, body, created_at)
       select "merchantId", id, event, "objectType", "objectId", sequence, status, "previousStatus", "orderingKey", body, $2
         from rows from (json_to_recordset($1::json) as (
           "merchantId" uuid, id uuid, event text, "objectType" text, "objectId" uuid, sequence integer,
           status text, "previousStatus" text, "orderingKey" uuid, body text)) with ordinality as e
        order by ordinality
       returning ordinal, merchant_id, id
     )
     insert into undispatched_events (ordinal, merchant_id, event_id) select ordinal, merchant_id, id from written`,
    [JSON.stringify(rows), now],
  );
}

/** The body of an object's last event of this name, as it was written. */
export async function findLastEventBody(
  db: Queryable,
  { merchantId, objectId, event }: { merchantId: string; objectId: string; event: string },
): Promise<string | undefined> {
  const [row] = await db.query<{ body: string }>(
    `select body from events where merchant_id = $1 and object_id = $2 and event = $3
      order by sequence desc limit 1`,
    [merchantId, objectId, event],
  );
  return row?.body;
}

/** How many changes of an object have been announced. */
export async function findLastSequence(tx: Queryable, merchantId: string, objectId: string): Promise<number> {
  const [row] = await tx.query<{ sequence: number }>(
    'select sequence from events where merchant_id = $1 and object_id = $2 order by sequence desc limit 1',
    [merchantId, objectId],
  );
  return row?.sequence ?? 0;
}

export interface ObjectEvent {
  event: string;
  status: string;
  body: string;
  createdAt: Date;
}

/** Every event of an object, in order. */
export async function listEventsOf(
  db: Queryable,
  { merchantId, objectId }: { merchantId: string; objectId: string },
): Promise<ObjectEvent[]> {
  return db.query<ObjectEvent>(
    `select event, status, body, created_at from events
      where merchant_id = $1 and object_id = $2 order by sequence`,
    [merchantId, objectId],
  );
}

export interface ClaimedEvent {
  ordinal: bigint;
  merchantId: string;
  eventId: string;
  event: string;
  orderingKey: string;
  body: string;
}

/** True for one transaction at a time, until it ends. */
export async function lockDispatch(tx: Queryable): Promise<boolean> {
  const [row] = await tx.query<{ isMine: boolean }>('select pg_try_advisory_xact_lock($1) as is_mine', [
    LOCKS.eventDispatch,
  ]);
  return row!.isMine;
}

export async function lockDispatchAlone(tx: Queryable): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [LOCKS.eventDispatch]);
}

/** The job that fails, where a merchant's events cannot be dispatched. The item is the merchant. */
export const DISPATCH = 'dispatch events';

export interface ClaimFrom {
  /** These come only as far as the others leave room. */
  later?: readonly string[];
  /** This one's alone, also while it is set aside. */
  only?: string;
}

/** Removes the oldest notes and answers the events they name, in order. */
export async function deleteUndispatched(
  tx: Queryable,
  limit: number,
  { later = [], only }: ClaimFrom,
): Promise<ClaimedEvent[]> {
  if (only !== undefined) return tx.query<ClaimedEvent>(DELETE_OF_ONE, [limit, only]);
  return later.length === 0
    ? tx.query<ClaimedEvent>(DELETE_OLDEST, [limit])
    : tx.query<ClaimedEvent>(DELETE_FAIRLY, [limit, later]);
}

const deleteThose = (ordinals: string) => `
  with taken as (
    delete from undispatched_events where ordinal = any(array(${ordinals}))
    returning ordinal, merchant_id, event_id
  )
  select t.ordinal, t.merchant_id, t.event_id, e.event, e.ordering_key, e.body
    from taken t join events e on e.merchant_id = t.merchant_id and e.id = t.event_id
   order by t.ordinal`;

/** Their merchant is open, and did not fail. */
const CAN_GO = `${isOpenMerchant()} and merchant_id not in (select merchant_id from set_aside_work where work = '${DISPATCH}')`;

const DELETE_OLDEST = deleteThose(
  `select ordinal from undispatched_events where ${CAN_GO} order by ordinal limit $1`,
);

const DELETE_OF_ONE = deleteThose(
  `select ordinal from undispatched_events where merchant_id = $2 and ${isOpenMerchant()} order by ordinal limit $1`,
);

const DELETE_FAIRLY = deleteThose(`
      with first as materialized (
        select ordinal from undispatched_events where merchant_id <> all($2::uuid[]) and ${CAN_GO}
         order by ordinal limit $1
      )
      select ordinal from first
      union all (select ordinal from undispatched_events where merchant_id = any($2::uuid[]) and ${CAN_GO}
                  order by ordinal limit $1 - (select count(*) from first))`);

/** Merchants whose events are waiting and have not failed. */
export async function listUndispatchedMerchants(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ merchantId: string }>(
    `select distinct merchant_id from undispatched_events where ${CAN_GO}`,
  );
  return rows.map(({ merchantId }) => merchantId);
}

/** How many events wait to become deliveries, up to `most`. */
export async function countUndispatched(db: Queryable, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from (
       select from undispatched_events where ${isOpenMerchant()} limit $1) as waiting`,
    [most],
  );
  return row!.count;
}

/** An event's place among all of its merchant's. */
export interface Place {
  position: bigint;
  eventId: string;
}

const NUMBERED_AT_ONCE = 1_000;

/** Gives positions to committed events that nobody has dispatched yet, so that following does not wait for that. */
export async function numberQueuedEvents(db: Queryable, merchantId: string): Promise<void> {
  let count: number;
  do {
    const rows = await db.query<{ count: number }>(
      `select count(*)::int as count, number_events(array_agg(merchant_id), array_agg(event_id)) from (
         select u.merchant_id, u.event_id from undispatched_events u
          where u.merchant_id = $1 and not exists (select from event_positions p
                 where p.merchant_id = u.merchant_id and p.event_id = u.event_id)
          order by u.ordinal limit $2) as queued having count(*) > 0`,
      [merchantId, NUMBERED_AT_ONCE],
    );
    count = rows[0]?.count ?? 0;
  } while (count === NUMBERED_AT_ONCE);
}

/** Numbered events after a position, in their order. */
export async function listEventsAfter(
  db: Queryable,
  merchantId: string,
  { position, event, limit }: { position: bigint; event?: string | undefined; limit: number },
): Promise<(Place & { body: string })[]> {
  const values = [merchantId, position, limit];
  return db.query(
    `select p.position, p.event_id, e.body
       from event_positions p join events e on e.merchant_id = p.merchant_id and e.id = p.event_id
      where p.merchant_id = $1 and p.position > $2 ${event === undefined ? '' : 'and e.event = $4'}
      order by p.position limit $3`,
    event === undefined ? values : [...values, event],
  );
}

/** The last numbered event up to a position. */
export async function findPlace(db: Queryable, merchantId: string, upTo: bigint): Promise<Place | undefined> {
  const [row] = await db.query<Place>(
    `select position, event_id from event_positions
      where merchant_id = $1 and position <= $2 order by position desc limit 1`,
    [merchantId, upTo],
  );
  return row;
}

/** The highest position ever given, also to an event that has been deleted since. */
export async function findLastPosition(db: Queryable, merchantId: string): Promise<bigint> {
  const [row] = await db.query<{ position: bigint }>(
    'select last_position as position from event_counters where merchant_id = $1',
    [merchantId],
  );
  return row?.position ?? 0n;
}

/** The event at a position if it is the last one and none waits to be numbered. */
export async function findLastEventAt(
  db: Queryable,
  merchantId: string,
  position: bigint,
): Promise<string | undefined> {
  const [row] = await db.query<{ eventId: string }>(
    `select p.event_id
       from event_positions p join event_counters c on c.merchant_id = p.merchant_id and c.last_position = p.position
      where p.merchant_id = $1 and p.position = $2
        and not exists (select from undispatched_events u where u.merchant_id = $1)`,
    [merchantId, position],
  );
  return row?.eventId;
}

/** Up to here events may have been deleted for their age. */
export async function findPrunedPosition(db: Queryable, merchantId: string): Promise<bigint> {
  const [row] = await db.query<{ position: bigint }>(
    'select pruned_position as position from event_counters where merchant_id = $1',
    [merchantId],
  );
  return row?.position ?? 0n;
}

/** Right before the first event that was written after this one; some of those before may come again. */
export async function findPositionAfter(db: Queryable, merchantId: string, ordinal: bigint): Promise<bigint> {
  const [row] = await db.query<{ position: bigint }>(
    `select coalesce(min(p.position) - 1, (select last_position from event_counters where merchant_id = $1), 0) as position
       from events e join event_positions p on p.merchant_id = e.merchant_id and p.event_id = e.id
      where e.merchant_id = $1 and e.ordinal > $2`,
    [merchantId, ordinal],
  );
  return row!.position;
}

export async function listNewestEvents(
  db: Queryable,
  merchantId: string,
  event: string | undefined,
  { beforeId, fromId, limit }: Range,
): Promise<{ id: string; body: string }[]> {
  const values = [merchantId, beforeId, fromId, limit];
  return db.query(
    `select id, body from events
      where merchant_id = $1 and id < $2 and id >= $3 ${event === undefined ? '' : 'and event = $5'}
      order by id desc limit $4`,
    event === undefined ? values : [...values, event],
  );
}

/** Returns the ids of the deleted events. */
export async function deleteEvents(
  tx: Queryable,
  objects: readonly { merchantId: string; objectId: string }[],
): Promise<Ref[]> {
  return tx.query(
    `with gone as (
       delete from events e using unnest($1::uuid[], $2::uuid[]) as o(merchant_id, object_id)
        where e.merchant_id = o.merchant_id and e.object_id = o.object_id
       returning e.merchant_id, e.id, e.ordinal
     ), undispatched as (
       delete from undispatched_events u using gone g where u.merchant_id = g.merchant_id and u.ordinal = g.ordinal
     )
     select merchant_id, id from gone`,
    [objects.map(({ merchantId }) => merchantId), objects.map(({ objectId }) => objectId)],
  );
}

/** How often these events were written in a time, and the sum of their `amountCents`, where they have one. */
export async function sumEvents(
  db: Queryable,
  merchantId: string,
  { from, to, events }: { from: Date; to: Date; events: readonly string[] },
): Promise<{ event: string; count: number; amountCents: bigint }[]> {
  return db.query(
    `select event, count(*)::integer as count,
            coalesce(sum((body::json -> 'data' ->> 'amountCents')::numeric), 0) as amount_cents
       from events where merchant_id = $1 and id >= $2 and id < $3 and event = any($4) group by event`,
    [merchantId, firstIdAt(from), firstIdAt(to), events],
  );
}
