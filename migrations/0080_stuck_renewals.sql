-- Renewals that cannot be priced: set aside, so that they hold up no others, and tried again later. A row counts while the
-- subscription still waits for `retry_at`; whatever else moves the subscription ends it.
create table stuck_renewals (
  merchant_id uuid not null,
  subscription_id uuid not null,
  reason text not null check (char_length(reason) between 1 and 500),
  since timestamptz not null,
  retry_at timestamptz not null,
  primary key (merchant_id, subscription_id),
  foreign key (merchant_id, subscription_id) references subscriptions (merchant_id, id)
);
