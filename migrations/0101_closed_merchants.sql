-- @expands
-- @each-statement-alone
alter table merchants validate constraint merchants_moved_to_check;
alter table merchants validate constraint merchants_moved_check;
-- Mostly empty. Whatever becomes due looks here first.
create index concurrently merchants_closed on merchants (id) where closed_at is not null;
