import type { Queryable } from '../db/database.ts';
import type { Range } from '../http/list.ts';
import type { NewEvent } from './event.ts';

export type EventRow = Omit<NewEvent, 'data'> & { id: string; body: string };

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
    `select event, status, body, created_at as "createdAt" from events
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

/** Any number will do, as long as no other lock of ours has it. */
const DISPATCH_LOCK = 7_265_737;

/** True for one transaction at a time, until it ends. */
export async function lockDispatch(tx: Queryable): Promise<boolean> {
  const [row] = await tx.query<{ isMine: boolean }>('select pg_try_advisory_xact_lock($1) as "isMine"', [
    DISPATCH_LOCK,
  ]);
  return row!.isMine;
}

export async function lockDispatchAlone(tx: Queryable): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [DISPATCH_LOCK]);
}

/**
 * Removes the oldest notes and answers the events they name, in order; those of the merchants in `later` only as far
 * as the others leave room.
 */
export async function deleteUndispatched(
  tx: Queryable,
  limit: number,
  later: readonly string[],
): Promise<ClaimedEvent[]> {
  return tx.query<ClaimedEvent>(later.length === 0 ? DELETE_OLDEST : DELETE_FAIRLY, [
    limit,
    ...(later.length === 0 ? [] : [later]),
  ]);
}

const deleteThose = (ordinals: string) => `
  with taken as (
    delete from undispatched_events where ordinal = any(array(${ordinals}))
    returning ordinal, merchant_id, event_id
  )
  select t.ordinal, t.merchant_id as "merchantId", t.event_id as "eventId", e.event, e.ordering_key as "orderingKey", e.body
    from taken t join events e on e.merchant_id = t.merchant_id and e.id = t.event_id
   order by t.ordinal`;

const DELETE_OLDEST = deleteThose('select ordinal from undispatched_events order by ordinal limit $1');

const DELETE_FAIRLY = deleteThose(`
      with first as materialized (
        select ordinal from undispatched_events where merchant_id <> all($2::uuid[]) order by ordinal limit $1
      )
      select ordinal from first
      union all (select ordinal from undispatched_events where merchant_id = any($2::uuid[])
                  order by ordinal limit $1 - (select count(*) from first))`);

/** A place in a merchant's events: the transaction that wrote one, and which of all events it is. */
export interface Place {
  writtenBy: string;
  ordinal: bigint;
}

/**
 * Events after `place`, ordered by the transaction that wrote them, and within it as written. Excludes transactions
 * that may still have a concurrent one with a lower number running: what was returned once is never followed by
 * something before it.
 */
export async function listEventsAfter(
  db: Queryable,
  merchantId: string,
  { place, event, limit }: { place: Place; event?: string | undefined; limit: number },
): Promise<(Place & { body: string })[]> {
  const values = [merchantId, place.writtenBy, place.ordinal, limit];
  return db.query(
    `select written_by::text as "writtenBy", ordinal, body from events
      where merchant_id = $1 and (written_by, ordinal) > ($2::text::xid8, $3::bigint)
        and written_by < pg_snapshot_xmin(pg_current_snapshot())
        ${event === undefined ? '' : 'and event = $5'}
      order by written_by, ordinal limit $4`,
    event === undefined ? values : [...values, event],
  );
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

/** Where the events that may be served end now. */
export async function findLastPlace(db: Queryable, merchantId: string): Promise<Place | undefined> {
  const [row] = await db.query<Place>(
    `select written_by::text as "writtenBy", ordinal from events
      where merchant_id = $1 and written_by < pg_snapshot_xmin(pg_current_snapshot())
      order by written_by desc, ordinal desc limit 1`,
    [merchantId],
  );
  return row;
}

/** Returns the ids of the deleted events. */
export async function deleteEvents(
  tx: Queryable,
  objects: readonly { merchantId: string; objectId: string }[],
): Promise<{ merchantId: string; id: string }[]> {
  return tx.query(
    `with gone as (
       delete from events e using unnest($1::uuid[], $2::uuid[]) as o(merchant_id, object_id)
        where e.merchant_id = o.merchant_id and e.object_id = o.object_id
       returning e.merchant_id, e.id, e.ordinal
     ), undispatched as (
       delete from undispatched_events where ordinal = any(array(select ordinal from gone))
     )
     select merchant_id as "merchantId", id from gone`,
    [objects.map(({ merchantId }) => merchantId), objects.map(({ objectId }) => objectId)],
  );
}
