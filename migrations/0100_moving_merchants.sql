-- @expands
-- A merchant that moves to another installation is closed here: first while its rows are copied, then for good, with the
-- address it has moved to.
alter table merchants
  add column closed_at timestamptz,
  add column moved_to text,
  add constraint merchants_moved_to_check check (char_length(moved_to) between 1 and 2048) not valid,
  add constraint merchants_moved_check check (moved_to is null or closed_at is not null) not valid;

-- A request that was let in a moment before the merchant was closed must not write after its rows were copied. Every
-- change of consequence leaves an event or an audit entry.
create function refuse_closed_merchant() returns trigger language plpgsql as $$
begin
  if exists (select from merchants where closed_at is not null and id in (select merchant_id from added))
     and current_setting('florin.moving', true) is distinct from 'yes' then
    raise exception 'the merchant is closed: it is being moved to another installation, or was' using errcode = 'FLMOV';
  end if;
  return null;
end
$$;

create trigger events_of_open_merchants after insert on events
  referencing new table as added for each statement execute function refuse_closed_merchant();
create trigger audit_of_open_merchants after insert on audit_entries
  referencing new table as added for each statement execute function refuse_closed_merchant();
