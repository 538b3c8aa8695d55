-- Subscriptions: periods from a stored anchor, renewals the customer confirms, plan changes that wait for money.

create table subscriptions (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  customer_id uuid not null,
  price_id uuid not null,
  status text not null default 'incomplete' check (
    status in ('incomplete', 'incomplete_expired', 'active', 'past_due', 'canceled')
  ),
  -- What the session that began it was called by.
  merchant_reference text,
  client_reference_id text,
  -- Periods are counted from here: the n-th begins n intervals later. A new anchor begins a new count.
  anchor_at timestamptz,
  period_index integer check (period_index >= 0),
  current_period_start timestamptz,
  current_period_end timestamptz,
  -- How far the customer has paid: the end of the current period, or of the next one when that is prepaid.
  paid_through timestamptz,
  cancel_at_period_end boolean not null default false,
  canceled_at timestamptz,
  cancel_reason text check (cancel_reason in ('requested', 'payment_overdue')),
  grace_ends_at timestamptz,
  -- The unpaid invoice of the next period.
  renewal_invoice_id uuid,
  latest_invoice_id uuid,
  -- The price of the period that is paid ahead.
  prepaid_price_id uuid,
  -- A plan that takes its turn at the end of the current (or prepaid) period.
  next_price_id uuid,
  -- A change that waits for money: what it will do, as it was previewed.
  pending_change jsonb check (jsonb_typeof(pending_change) = 'object'),
  -- When there is something to do next; null: nothing ever.
  next_step_at timestamptz,
  reminders_sent integer not null default 0,
  sequence integer not null default 0,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, price_id) references prices (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, prepaid_price_id) references prices (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, next_price_id) references prices (merchant_id, project_id, id),
  unique (merchant_id, project_id, id),
  check (status not in ('active', 'past_due') or anchor_at is not null),
  check (status not in ('incomplete', 'incomplete_expired') or anchor_at is null),
  check ((anchor_at is null) = (period_index is null)),
  check ((anchor_at is null) = (current_period_start is null)),
  check ((anchor_at is null) = (current_period_end is null)),
  check ((anchor_at is null) = (paid_through is null)),
  check (current_period_end > current_period_start),
  check ((prepaid_price_id is null) or (paid_through > current_period_end)),
  check ((status = 'canceled') = (canceled_at is not null)),
  check ((status = 'canceled') = (cancel_reason is not null)),
  check (status not in ('incomplete_expired', 'canceled') or (next_step_at is null and pending_change is null)),
  check (renewal_invoice_id is null or status in ('active', 'past_due')),
  check (status <> 'past_due' or renewal_invoice_id is not null)
);

create index subscriptions_due on subscriptions (next_step_at) include (merchant_id, id, project_id) where next_step_at is not null;
create index subscriptions_by_project on subscriptions (merchant_id, project_id, id);
create index subscriptions_by_customer on subscriptions (merchant_id, customer_id, id);
create index subscriptions_live on subscriptions (merchant_id, price_id) where status in ('active', 'past_due');
create index subscriptions_canceled on subscriptions (merchant_id, canceled_at) where status = 'canceled';

alter table invoices
  add column subscription_id uuid,
  add foreign key (merchant_id, project_id, subscription_id) references subscriptions (merchant_id, project_id, id);
create index invoices_by_subscription on invoices (merchant_id, subscription_id, id) where subscription_id is not null;
-- A period is billed once, and the next one only when the former is paid.
create unique index invoices_once_per_period on invoices (merchant_id, subscription_id, period_start)
  where subscription_id is not null and period_start is not null and status <> 'void'
    and billing_reason in ('subscription_create', 'subscription_cycle');
create unique index invoices_one_open_cycle on invoices (merchant_id, subscription_id)
  where status = 'open' and billing_reason = 'subscription_cycle';

alter table subscriptions
  add foreign key (merchant_id, project_id, renewal_invoice_id) references invoices (merchant_id, project_id, id) deferrable,
  add foreign key (merchant_id, project_id, latest_invoice_id) references invoices (merchant_id, project_id, id) deferrable;

alter table checkout_sessions
  add column subscription_id uuid,
  add foreign key (merchant_id, project_id, subscription_id) references subscriptions (merchant_id, project_id, id),
  add check ((mode = 'subscription') = (subscription_id is not null));
create index checkout_sessions_by_subscription on checkout_sessions (merchant_id, subscription_id, id)
  where subscription_id is not null;

-- Sessions that were closed although money had come, or was on its way.
create index checkout_sessions_dead on checkout_sessions (expires_at)
  where status = 'canceled' and payment_status <> 'unpaid' and stray_at is null;

alter table usage_records
  add foreign key (merchant_id, project_id, subscription_id) references subscriptions (merchant_id, project_id, id);
