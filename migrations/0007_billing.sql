-- Billing: projects, customers, catalog, ledger, invoices, checkout sessions, payment links, usage.

create table projects (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (char_length(name) between 1 and 255),
  -- Null: the merchant's own.
  payout_address text,
  monthly_volume_limit_cents bigint check (monthly_volume_limit_cents >= 0),
  monthly_request_limit bigint check (monthly_request_limit >= 0),
  -- Only what differs from the defaults.
  settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  last_invoice_number bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (merchant_id, id)
);

-- What a project has used of its monthly limits; kept only where a limit is set.
create table project_months (
  merchant_id uuid not null,
  project_id uuid not null,
  month date not null check (extract(day from month) = 1),
  volume_cents numeric(38, 0) not null default 0 check (volume_cents >= 0),
  request_count bigint not null default 0 check (request_count >= 0),
  primary key (merchant_id, project_id, month),
  foreign key (merchant_id, project_id) references projects (merchant_id, id)
);

create table customers (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  external_customer_id text check (char_length(external_customer_id) between 1 and 255),
  email text check (char_length(email) between 1 and 254),
  name text check (char_length(name) between 1 and 255),
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  -- Whoever points to a customer names the project too, so a row cannot point across projects.
  unique (merchant_id, project_id, id)
);

create unique index customers_by_external_id on customers (merchant_id, project_id, external_customer_id);
create index customers_by_any_external_id on customers (merchant_id, external_customer_id, id)
  where external_customer_id is not null;

create table products (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null check (char_length(name) between 1 and 255),
  description text check (char_length(description) between 1 and 2000),
  is_active boolean not null default true,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  unique (merchant_id, project_id, id)
);

create table prices (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  product_id uuid not null,
  name text check (char_length(name) between 1 and 255),
  unit_amount_cents bigint not null check (unit_amount_cents > 0),
  currency text not null default 'USD' check (currency = 'USD'),
  billing_mode text not null check (billing_mode in ('one_time', 'balance_top_up', 'subscription')),
  credit_amount bigint check (credit_amount > 0),
  recurring_interval text check (recurring_interval in ('day', 'week', 'month', 'year')),
  recurring_interval_count integer check (recurring_interval_count > 0),
  is_active boolean not null default true,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id, product_id) references products (merchant_id, project_id, id),
  unique (merchant_id, project_id, id),
  check ((billing_mode = 'balance_top_up') = (credit_amount is not null)),
  check ((billing_mode = 'subscription') = (recurring_interval is not null)),
  check ((billing_mode = 'subscription') = (recurring_interval_count is not null))
);

create index prices_by_product on prices (merchant_id, product_id, id);

create table payment_links (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  price_id uuid not null,
  name text check (char_length(name) between 1 and 255),
  status text not null default 'active' check (status in ('active', 'inactive')),
  public_token text not null,
  require_client_reference_id boolean not null,
  collect_customer_email boolean not null,
  success_url text check (char_length(success_url) <= 2048),
  cancel_url text check (char_length(cancel_url) <= 2048),
  expires_at timestamptz,
  max_payments integer check (max_payments > 0),
  payments_count integer not null default 0 check (payments_count >= 0),
  created_at timestamptz not null,
  -- When it closed by itself: its time was over, or it had sold all there was.
  ended_at timestamptz,
  -- A deleted link is gone for everybody; its sessions still know where they came from.
  deleted_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id, price_id) references prices (merchant_id, project_id, id),
  unique (merchant_id, project_id, id),
  check (deleted_at is null or status = 'inactive'),
  check (ended_at is null or status = 'inactive')
);

create unique index payment_links_by_token on payment_links (public_token);
create index payment_links_ended on payment_links (ended_at) where ended_at is not null;
create index payment_links_due on payment_links (expires_at) where status = 'active' and expires_at is not null;

-- One session asks for one payment: it has one intent and one invoice, all with one deadline.
create table checkout_sessions (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  mode text not null check (mode in ('one_time', 'balance_top_up', 'subscription')),
  -- Who asked for it: a key, a stranger with a link, or the calendar.
  origin text not null check (origin in ('key', 'link', 'renewal')),
  status text not null default 'open' check (status in ('open', 'complete', 'expired', 'canceled')),
  payment_status text not null default 'unpaid' check (payment_status in ('unpaid', 'processing', 'underpaid', 'paid')),
  price_id uuid,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null default 'USD' check (currency = 'USD'),
  -- What a top-up is worth, as the price said when it was bought.
  credit_amount bigint check (credit_amount > 0),
  customer_id uuid,
  external_customer_id text,
  customer_email text,
  customer_name text,
  merchant_reference text check (char_length(merchant_reference) between 1 and 255),
  client_reference_id text check (char_length(client_reference_id) between 1 and 200),
  payment_link_id uuid,
  payment_intent_id uuid not null,
  token text not null,
  checkout_url text not null,
  success_url text check (char_length(success_url) <= 2048),
  cancel_url text check (char_length(cancel_url) <= 2048),
  -- The month whose volume it counts toward; null while it counts toward none.
  volume_month date,
  sequence integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  completed_at timestamptz,
  -- When the part of the money that was left over has been dealt with.
  stray_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  foreign key (merchant_id, project_id, price_id) references prices (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, payment_link_id) references payment_links (merchant_id, project_id, id),
  foreign key (merchant_id, payment_intent_id) references payment_intents (merchant_id, id),
  unique (merchant_id, project_id, id),
  check ((status = 'complete') = (payment_status = 'paid')),
  check ((status = 'complete') = (completed_at is not null)),
  check ((mode = 'balance_top_up') = (credit_amount is not null)),
  check (mode = 'one_time' or customer_id is not null),
  check ((origin = 'link') = (payment_link_id is not null))
);

create unique index checkout_sessions_by_intent on checkout_sessions (merchant_id, payment_intent_id);
create unique index checkout_sessions_by_token on checkout_sessions (token);
create index checkout_sessions_by_status on checkout_sessions (merchant_id, status, id);
create index checkout_sessions_by_project_status on checkout_sessions (merchant_id, project_id, status, id);
create index checkout_sessions_under_way on checkout_sessions (merchant_id, id)
  where payment_status in ('processing', 'underpaid');
create index checkout_sessions_by_customer on checkout_sessions (merchant_id, customer_id, id) where customer_id is not null;
create index checkout_sessions_by_external_customer on checkout_sessions (merchant_id, external_customer_id, id)
  where external_customer_id is not null;
create index checkout_sessions_by_merchant_reference on checkout_sessions (merchant_id, merchant_reference, id)
  where merchant_reference is not null;
create index checkout_sessions_by_client_reference on checkout_sessions (merchant_id, client_reference_id, id)
  where client_reference_id is not null;
create index checkout_sessions_of_links on checkout_sessions (merchant_id, payment_link_id, id) where status = 'open';
create index checkout_sessions_due on checkout_sessions (expires_at) where status = 'open';
create index checkout_sessions_left_over on checkout_sessions (expires_at)
  where status = 'expired' and payment_status = 'underpaid' and stray_at is null;
create index checkout_sessions_volume on checkout_sessions (merchant_id, project_id, volume_month)
  where volume_month is not null;

create table invoices (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  number bigint not null check (number > 0),
  -- The number as printed, with the prefix that held when it was given.
  number_text text not null,
  customer_id uuid,
  checkout_session_id uuid,
  status text not null default 'open' check (status in ('open', 'paid', 'void', 'uncollectible')),
  billing_reason text not null check (
    billing_reason in ('one_time', 'balance_top_up', 'subscription_create', 'subscription_cycle', 'subscription_change')
  ),
  currency text not null default 'USD' check (currency = 'USD'),
  lines jsonb not null check (jsonb_typeof(lines) = 'array'),
  subtotal_cents bigint not null check (subtotal_cents >= 0),
  credit_applied_cents bigint not null default 0 check (credit_applied_cents >= 0),
  total_cents bigint not null check (total_cents >= 0),
  -- All that finally arrived for it, floored once.
  amount_paid_cents numeric(38, 0) not null default 0 check (amount_paid_cents >= 0),
  due_at timestamptz,
  period_start timestamptz,
  period_end timestamptz,
  merchant_reference text,
  client_reference_id text,
  tx_signature text,
  sequence integer not null default 0,
  created_at timestamptz not null,
  paid_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, checkout_session_id) references checkout_sessions (merchant_id, project_id, id),
  unique (merchant_id, project_id, id),
  check (total_cents = subtotal_cents - credit_applied_cents),
  check ((status = 'paid') = (paid_at is not null)),
  check (status <> 'paid' or amount_paid_cents >= total_cents),
  check ((period_start is null) = (period_end is null)),
  check (period_end > period_start)
);

create unique index invoices_by_number on invoices (merchant_id, project_id, number);
create unique index invoices_by_session on invoices (merchant_id, checkout_session_id) where checkout_session_id is not null;
create index invoices_by_customer on invoices (merchant_id, customer_id, id) where customer_id is not null;
create index invoices_by_status on invoices (merchant_id, status, id);
create index invoices_by_project_status on invoices (merchant_id, project_id, status, id);
create index invoices_by_merchant_reference on invoices (merchant_id, merchant_reference, id)
  where merchant_reference is not null;
create index invoices_by_client_reference on invoices (merchant_id, client_reference_id, id)
  where client_reference_id is not null;
create index invoices_paid on invoices (merchant_id, paid_at) where status = 'paid';

create table usage_records (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  metric text not null check (metric ~ '^[a-z0-9_.:-]{1,64}$'),
  quantity bigint not null check (quantity between 1 and 1000000000),
  customer_id uuid,
  subscription_id uuid,
  idempotency_key text not null check (char_length(idempotency_key) between 1 and 255),
  -- What it took from the customer's credits.
  credits bigint not null default 0 check (credits >= 0),
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id)
);

-- One event of usage counts once, for ever.
create unique index usage_records_once on usage_records (merchant_id, project_id, idempotency_key);
-- By id, which carries the time: one index serves both the lists and the sums of a period.
create index usage_records_by_metric on usage_records (merchant_id, project_id, metric, id);
create index usage_records_by_customer on usage_records (merchant_id, customer_id, id) where customer_id is not null;

-- A customer's two balances: prepaid credits (units) and account credit (cents). No row: both zero.
create table balances (
  merchant_id uuid not null,
  customer_id uuid not null,
  -- Sums: money that arrives is counted, however much there is already.
  credits numeric(38, 0) not null default 0 check (credits >= 0),
  cents numeric(38, 0) not null default 0 check (cents >= 0),
  sequence integer not null default 0,
  primary key (merchant_id, customer_id),
  foreign key (merchant_id, customer_id) references customers (merchant_id, id)
);

-- One posting moves `delta` from the account on the other side to the customer: both legs in one row, so that it
-- cannot fail to balance.
create table postings (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  customer_id uuid not null,
  delta_credits bigint not null default 0,
  delta_cents bigint not null default 0,
  -- Both balances afterwards.
  credits_after numeric(38, 0) not null check (credits_after >= 0),
  cents_after numeric(38, 0) not null check (cents_after >= 0),
  other_side text not null check (
    other_side in ('top_up', 'usage', 'adjustment', 'invoice', 'stray_payment', 'plan_change')
  ),
  reason text check (char_length(reason) between 1 and 255),
  invoice_id uuid,
  usage_record_id uuid,
  -- The posting that this one takes back.
  reverses_id uuid,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, invoice_id) references invoices (merchant_id, project_id, id),
  foreign key (merchant_id, usage_record_id) references usage_records (merchant_id, id),
  foreign key (merchant_id, reverses_id) references postings (merchant_id, id),
  check ((delta_credits = 0) <> (delta_cents = 0)),
  check (other_side <> 'top_up' or (delta_credits > 0 and invoice_id is not null)),
  check (other_side <> 'usage' or (delta_credits < 0 and usage_record_id is not null)),
  check (other_side not in ('invoice', 'stray_payment', 'plan_change') or delta_credits = 0)
);

create index postings_by_customer on postings (merchant_id, customer_id, id);
create unique index postings_top_up_once on postings (merchant_id, invoice_id) where other_side = 'top_up' and reverses_id is null;
create unique index postings_usage_once on postings (merchant_id, usage_record_id) where other_side = 'usage' and reverses_id is null;
create unique index postings_invoice_once on postings (merchant_id, invoice_id) where other_side = 'invoice' and reverses_id is null;
create unique index postings_reversed_once on postings (merchant_id, reverses_id) where reverses_id is not null;

create trigger postings_only_grow before update or delete on postings
  for each statement execute function refuse_change();

-- An intent made by a checkout session: its events go in the session's lane, and only the session cancels it.
alter table payment_intents
  add column lane uuid,
  drop constraint payment_intents_order_id_check,
  add constraint payment_intents_order_id_check check (char_length(order_id) between 1 and 255);

-- Money that was posted to the customer's account credit while it waits for a person.
alter table payment_exceptions
  add column posting_id uuid,
  add foreign key (merchant_id, posting_id) references postings (merchant_id, id),
  drop constraint payment_exceptions_kind_check,
  add constraint payment_exceptions_kind_check check (
    kind in ('unmatched', 'ambiguous', 'wrong_mint', 'canceled', 'late', 'surplus', 'duplicate_order', 'stray')
  );
