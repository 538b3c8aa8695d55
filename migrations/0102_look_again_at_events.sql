-- @expands
-- What was needed when its turn came is looked at again once a week: since when the present round has gone on.
alter table event_counters add column looking_since timestamptz not null default now();
