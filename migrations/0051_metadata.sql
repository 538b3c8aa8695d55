-- A merchant's own keys and values on an object. A constant default rewrites no row, and what is there already satisfies the
-- checks, so they are not looked at.
alter table customers add column metadata jsonb not null default '{}';
alter table products add column metadata jsonb not null default '{}';
alter table prices add column metadata jsonb not null default '{}';
alter table payment_links add column metadata jsonb not null default '{}';
alter table checkout_sessions add column metadata jsonb not null default '{}';
alter table invoices add column metadata jsonb not null default '{}';
alter table subscriptions add column metadata jsonb not null default '{}';
alter table payment_intents add column metadata jsonb not null default '{}';
alter table refunds add column metadata jsonb not null default '{}';
alter table customers add constraint customers_metadata_check
  check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072) not valid;
alter table products add constraint products_metadata_check
  check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072) not valid;
alter table prices add constraint prices_metadata_check
  check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072) not valid;
alter table payment_links add constraint payment_links_metadata_check
  check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072) not valid;
alter table checkout_sessions add constraint checkout_sessions_metadata_check
  check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072) not valid;
alter table invoices add constraint invoices_metadata_check
  check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072) not valid;
alter table subscriptions add constraint subscriptions_metadata_check
  check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072) not valid;
alter table payment_intents add constraint payment_intents_metadata_check
  check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072) not valid;
alter table refunds add constraint refunds_metadata_check
  check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072) not valid;

-- Found by an exact key and value. The merchant is part of every entry: a value that all merchants use is read for one alone.
-- Only rows with metadata are in the indexes, so that the others cost nothing.
create index customers_by_metadata on customers
  using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
create index products_by_metadata on products
  using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
create index prices_by_metadata on prices
  using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
create index payment_links_by_metadata on payment_links
  using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
create index checkout_sessions_by_metadata on checkout_sessions
  using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
create index invoices_by_metadata on invoices
  using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
create index subscriptions_by_metadata on subscriptions
  using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
create index payment_intents_by_metadata on payment_intents
  using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
create index refunds_by_metadata on refunds
  using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops) where metadata <> '{}';
