-- @expands
-- What the data has been called before: a process that knew it by one of these names knows this database.
alter table installation add column former_lineages uuid[] not null default '{}';
