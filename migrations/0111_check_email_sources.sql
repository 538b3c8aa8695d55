-- @expands
-- @each-statement-alone
alter table customers validate constraint customers_email_source_check;
alter table customers validate constraint customers_email_sourced_check;
drop index concurrently if exists customers_unsourced;
