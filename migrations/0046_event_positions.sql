-- Where each event comes among its merchant's: 1, 2, 3, … A position is given once the event's transaction has
-- committed, so no later commit can come before it, and a reader who follows positions misses nothing and waits for
-- nobody. Until now the order was by transaction number, which another cluster does not know, and which a
-- transaction may get long before it locks the object that its event is about.
create table event_counters (
  merchant_id uuid primary key references merchants,
  last_position bigint not null check (last_position >= 0)
);

create table event_positions (
  merchant_id uuid not null,
  position bigint not null check (position > 0),
  event_id uuid not null
);

insert into event_positions (merchant_id, position, event_id)
select merchant_id, row_number() over (partition by merchant_id order by written_by, ordinal), id from events;

insert into event_counters (merchant_id, last_position)
select merchant_id, max(position) from event_positions group by merchant_id;

alter table event_positions
  add primary key (merchant_id, position),
  add constraint event_positions_event_key unique (merchant_id, event_id),
  add foreign key (merchant_id, event_id) references events on delete cascade deferrable;

drop index events_as_written;
alter table events drop column written_by;

create index undispatched_events_by_merchant on undispatched_events (merchant_id, ordinal);

-- Gives positions to those of these events that have none yet, in the order in which they were written.
create function number_events(merchants uuid[], ids uuid[]) returns void language plpgsql as $$
begin
  insert into event_counters (merchant_id, last_position)
  select distinct m, 0 from unnest(merchants) as m order by m on conflict do nothing;
  perform from event_counters where merchant_id = any(merchants) order by merchant_id for no key update;
  -- Only now: this statement sees what those who held the counters before have numbered.
  with unnumbered as (
    select e.merchant_id, e.id, row_number() over (partition by e.merchant_id order by e.ordinal) as place
      from unnest(merchants, ids) as wanted (merchant_id, id) join events e using (merchant_id, id)
     where not exists (select from event_positions p where p.merchant_id = e.merchant_id and p.event_id = e.id)
  ), numbered as (
    insert into event_positions (merchant_id, position, event_id)
    select u.merchant_id, c.last_position + u.place, u.id from unnumbered u join event_counters c using (merchant_id)
    returning merchant_id, position
  )
  update event_counters c set last_position = n.position
    from (select merchant_id, max(position) as position from numbered group by merchant_id) as n
   where c.merchant_id = n.merchant_id;
end
$$;

-- Whatever leaves the queue has its position, whichever program takes it.
create function number_dispatched() returns trigger language plpgsql as $$
begin
  perform number_events(array_agg(merchant_id), array_agg(event_id)) from dispatched having count(*) > 0;
  return null;
end
$$;

create trigger undispatched_events_are_numbered after delete on undispatched_events
  referencing old table as dispatched for each statement execute function number_dispatched();
