-- @expands
-- @each-statement-alone
create unique index concurrently trials_by_known_email on trials (merchant_id, product_id, email) where email is not null and not is_typed;
create unique index concurrently trials_by_typed_email on trials (merchant_id, product_id, email) where email is not null and is_typed;
drop index concurrently if exists trials_by_email;
