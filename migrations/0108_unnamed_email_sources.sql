-- @expands
-- @each-statement-alone
-- For the next file, and only for it.
create index concurrently customers_unsourced on customers (merchant_id, id) where email is not null and email_source is null;
