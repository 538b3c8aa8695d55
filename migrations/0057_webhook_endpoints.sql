-- Several webhook endpoints for each merchant. The first one, whose URL and secret are the merchant's own, has the
-- merchant's id; the others have their settings here.
alter table webhook_endpoints
  add column id uuid,
  add column name text check (char_length(name) between 1 and 255),
  add column url text check (char_length(url) between 1 and 2048),
  add column secret bytea,
  add column previous_secret bytea,
  add column previous_secret_until timestamptz,
  add column event_types text[] check (cardinality(event_types) between 1 and 100),
  add column is_active boolean not null default true,
  add column created_at timestamptz;

update webhook_endpoints set id = merchant_id;

alter table webhook_endpoints
  alter column id set not null,
  drop constraint webhook_endpoints_pkey,
  add constraint webhook_endpoints_pkey primary key (id),
  add constraint webhook_endpoints_first check ((id = merchant_id) = (url is null)),
  add constraint webhook_endpoints_others check ((id = merchant_id) = (secret is null) and (id = merchant_id or created_at is not null)),
  add constraint webhook_endpoints_overlap check ((previous_secret is null) = (previous_secret_until is null));

create index webhook_endpoints_by_merchant on webhook_endpoints (merchant_id, id);

-- Where an earlier release sent something it was the first endpoint; only what is not finished needs to say so.
alter table webhook_deliveries add column endpoint_id uuid;
update webhook_deliveries set endpoint_id = merchant_id where next_attempt_at is not null;
alter table webhook_deliveries
  add constraint webhook_deliveries_endpoint check (endpoint_id is not null or next_attempt_at is null) not valid;

drop index webhook_deliveries_by_event;
create unique index webhook_deliveries_by_event
  on webhook_deliveries (merchant_id, event_id, coalesce(endpoint_id, merchant_id)) where resend_of is null;
drop index webhook_deliveries_by_ordering_key;
create index webhook_deliveries_by_ordering_key on webhook_deliveries (endpoint_id, ordering_key, ordinal)
  where next_attempt_at is not null and resend_of is null;
drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at, ordinal)
  where next_attempt_at is not null;
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, id) where endpoint_id <> merchant_id;

-- Whether an endpoint asks for payment_intent.created, which is written for nobody else.
alter table merchants add column announces_intents boolean not null default false;
