-- @expands
-- A trial for an address that somebody only typed keeps others who type it from a second one, and nobody whose address it is.
alter table trials add column is_typed boolean not null default false;
