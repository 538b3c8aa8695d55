-- @expands
-- Where events are kept for a time only: how far a merchant's have been looked at, and the last position of those deleted, so
-- that nobody who follows them misses one without a word.
alter table event_counters
  add column looked_through uuid not null default '00000000-0000-0000-0000-000000000000',
  add column pruned_position bigint not null default 0;
