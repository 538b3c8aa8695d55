-- @expands
-- @few-rows revenue_entries
-- Statements name rows by their keys, never by where PostgreSQL keeps them: the same statements then run on any database
-- that speaks its language.

-- Entries are added up within seconds, so there are few. Inserts of an earlier release get an id, too.
alter table revenue_entries add column id uuid not null default gen_random_uuid();
alter table revenue_entries add primary key (merchant_id, id);
drop index revenue_entries_by_merchant;
