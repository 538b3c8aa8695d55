import type { Queryable } from '../db/database.ts';

/** The id after which looking begins; a round that began before $3 is over. */
const LOOKED_THROUGH = `case when looking_since < $3 then '00000000-0000-0000-0000-000000000000'::uuid else looked_through end`;

export interface OldEvents {
  /** Only events older than this id are looked at. */
  before: string;
  /** A round that began before then is over: all that is left is looked at again. */
  roundBefore: Date;
  now: Date;
}

/** The next merchants that have old events which have not been looked at in their present round. */
export async function listMerchantsWithOldEvents(
  db: Queryable,
  afterId: string,
  { before, roundBefore }: OldEvents,
  limit: number,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select c.merchant_id as id from event_counters c
      where c.merchant_id > $1
        and exists (select from events e
                     where e.merchant_id = c.merchant_id and e.id > ${LOOKED_THROUGH} and e.id < $2)
      order by c.merchant_id limit $4`,
    [afterId, before, roundBefore, limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Looks at a merchant's next old events, and deletes those that nothing needs any more: not the last of an
 * object, not those of subscriptions and invoices, from which the books of a past month are read, and nothing that is
 * still sent or can be sent again. Returns how many it looked at; none while another process does.
 */
export async function deleteOldEvents(
  db: Queryable,
  merchantId: string,
  { before, roundBefore, now }: OldEvents,
  limit: number,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `with turn as materialized (
       select ${LOOKED_THROUGH} as looked_through from event_counters where merchant_id = $1 for no key update skip locked
     ), seen as materialized (
       select e.id, e.object_type, e.object_id, e.sequence, e.ordinal from events e
        where e.merchant_id = $1 and e.id > (select looked_through from turn) and e.id < $2
        order by e.id limit $4
     ), old as materialized (
       select array_agg(s.id) as ids from seen s
        where s.object_type not in ('subscription', 'invoice')
          and exists (select from events n
                       where n.merchant_id = $1 and n.object_id = s.object_id and n.sequence > s.sequence)
          and not exists (select from undispatched_events u where u.merchant_id = $1 and u.ordinal = s.ordinal)
          and not exists (select from webhook_deliveries d
                           where d.merchant_id = $1 and d.event_id = s.id and d.resend_of is null)
          and not exists (select from webhook_deliveries d
                           where d.merchant_id = $1 and d.event_id = s.id and d.resend_of is not null)
     ), gone as (
       delete from events e using old, unnest(old.ids) as o(id) where e.merchant_id = $1 and e.id = o.id
     ), moved as (
       update event_counters c
          set looked_through = (select id from seen order by id desc limit 1),
              looking_since = case when looking_since < $3 then $5 else looking_since end,
              pruned_position = greatest(c.pruned_position, (
                select max(p.position) from old, unnest(old.ids) as o(id)
                  join event_positions p on p.merchant_id = $1 and p.event_id = o.id))
        where c.merchant_id = $1 and exists (select from seen)
     )
     select count(*)::integer as count from seen`,
    [merchantId, before, roundBefore, limit, now],
  );
  return row!.count;
}
