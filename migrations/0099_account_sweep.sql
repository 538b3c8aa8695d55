-- @expands
-- Who looks at the balances of all watched accounts, again and again, and how far the last complete look has got. One
-- process at a time does, so that several watchers do not multiply the calls.
create table account_sweep (
  only_row boolean primary key default true check (only_row),
  holder uuid,
  held_until timestamptz,
  -- Everything was looked at, at this slot or a later one; the look began at this moment.
  through_slot bigint,
  through_at timestamptz,
  check ((holder is null) = (held_until is null)),
  check ((through_slot is null) = (through_at is null))
);
