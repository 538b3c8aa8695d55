-- @expands
-- @each-statement-alone
create index concurrently customers_by_merged_into on customers (merchant_id, merged_into_id, id) where merged_into_id is not null;
alter table customers validate constraint customers_merged_check;
alter table customers validate constraint customers_merged_into_fkey;
