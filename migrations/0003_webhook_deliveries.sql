-- Events in the order they were written. Whoever changes an object holds its row until the commit, so within
-- a lane this is the order of the commits; transaction ids and times are not.
alter table events add column ordinal bigint generated always as identity;

-- Events nobody has looked at for delivery yet. The row is written with its event and goes in the transaction
-- that makes the delivery, so a late commit is never skipped, however long another transaction runs.
create table undispatched_events (
  ordinal bigint primary key,
  merchant_id uuid not null,
  event_id uuid not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- One row per merchant with deliveries: workers look here, not at thousands of deliveries that cannot start.
-- Its lock also keeps two workers from deciding about one merchant's lanes at once.
create table webhook_endpoints (
  merchant_id uuid primary key references merchants (id),
  -- The earliest moment at which one of its deliveries may start; null when none waits.
  claim_at timestamptz,
  -- Events up to here need no delivery any more: no URL was set then, or the delivery has been pruned.
  settled_through bigint not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create index webhook_endpoints_due on webhook_endpoints (claim_at) where claim_at is not null;

-- Without foreign keys: each would cost a tenth of the work of a delivery, the merchant is held by its endpoint,
-- and old events may be removed before their deliveries.
create table webhook_deliveries (
  merchant_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  event text not null,
  ordinal bigint not null,
  lane uuid not null,
  resend_of uuid,
  url text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'retrying', 'failed')),
  attempt_count smallint not null default 0 check (attempt_count between 0 and 12),
  attempts jsonb not null default '[]',
  http_status smallint,
  error text,
  duration_ms integer,
  response_body text,
  next_attempt_at timestamptz,
  -- After a first failure, later events of the lane wait until then.
  holds_lane_until timestamptz,
  -- Who is sending it now. A result is taken only from the holder of this very lease.
  lease_id uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  delivered_at timestamptz,
  primary key (merchant_id, id),
  check ((status in ('pending', 'retrying')) = (next_attempt_at is not null)),
  check ((status = 'pending') = (attempt_count = 0)),
  check ((status = 'succeeded') = (delivered_at is not null)),
  check (status <> 'failed' or error is not null),
  check ((lease_id is null) = (lease_until is null)),
  check (lease_id is null or next_attempt_at is not null)
) with (fillfactor = 70);

-- An event has one delivery of its own; the others are resends.
create unique index webhook_deliveries_by_event on webhook_deliveries (merchant_id, event_id)
  where resend_of is null;
create index webhook_deliveries_due on webhook_deliveries (merchant_id, next_attempt_at, ordinal)
  where next_attempt_at is not null;
create index webhook_deliveries_by_lane on webhook_deliveries (merchant_id, lane, ordinal)
  where next_attempt_at is not null and resend_of is null;
create index webhook_deliveries_in_trouble on webhook_deliveries (merchant_id, id)
  where status in ('retrying', 'failed');
create index webhook_deliveries_by_age on webhook_deliveries using brin (created_at)
  with (pages_per_range = 32, autosummarize = on);

-- What happened before there were deliveries stays undelivered.
insert into webhook_endpoints (merchant_id, settled_through)
select merchant_id, max(ordinal) from events group by merchant_id;
