-- A merchant's own name of a price, to be found by without keeping its id.
alter table prices add column lookup_key text;
alter table prices add constraint prices_lookup_key_check check (char_length(lookup_key) between 1 and 200) not valid;
create unique index prices_by_lookup_key on prices (merchant_id, project_id, lookup_key) where lookup_key is not null;
