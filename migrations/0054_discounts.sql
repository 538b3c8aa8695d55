create table discounts (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null check (char_length(name) between 1 and 255),
  percent_off_bps integer check (percent_off_bps between 1 and 10000),
  amount_off_cents bigint check (amount_off_cents > 0),
  duration text not null check (duration in ('once', 'periods', 'forever')),
  duration_periods integer check (duration_periods > 0),
  product_ids uuid[],
  starts_at timestamptz,
  ends_at timestamptz,
  max_redemptions integer check (max_redemptions > 0),
  max_per_customer integer check (max_per_customer > 0),
  redemptions_count integer default 0 not null check (redemptions_count >= 0),
  is_active boolean default true not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, project_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  constraint discounts_kind_check check ((percent_off_bps is null) <> (amount_off_cents is null)),
  constraint discounts_periods_check check ((duration = 'periods') = (duration_periods is not null)),
  constraint discounts_times_check check (ends_at > starts_at),
  -- Whatever the code does: nobody gets one too many.
  constraint discounts_redemptions_check check (redemptions_count <= max_redemptions)
);

create table promotion_codes (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  discount_id uuid not null,
  code text not null check (code ~ '^[A-Za-z0-9_-]{1,50}$'),
  is_active boolean default true not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id, discount_id) references discounts (merchant_id, project_id, id)
);
create unique index promotion_codes_by_code on promotion_codes (merchant_id, project_id, (upper(code) collate "C"));
create index promotion_codes_by_discount on promotion_codes (merchant_id, discount_id, id);

-- Checkouts that have a discount: open or paid. What closes unpaid gives it back.
create table discount_redemptions (
  merchant_id uuid not null,
  session_id uuid not null,
  discount_id uuid not null,
  customer_id uuid,
  email text check (char_length(email) <= 254),
  created_at timestamptz not null,
  primary key (merchant_id, session_id),
  foreign key (merchant_id, session_id) references checkout_sessions (merchant_id, id),
  foreign key (merchant_id, discount_id) references discounts (merchant_id, id)
);
create index discount_redemptions_by_customer on discount_redemptions (merchant_id, discount_id, customer_id);
create index discount_redemptions_by_email on discount_redemptions (merchant_id, discount_id, email);

alter table invoices add column discount jsonb, add column discount_cents bigint default 0 not null;
alter table invoices drop constraint invoices_check;
alter table invoices
  add constraint invoices_total_check check (total_cents = subtotal_cents - discount_cents - credit_applied_cents) not valid,
  add constraint invoices_discount_check check (discount_cents >= 0 and (discount_cents = 0 or discount is not null)) not valid;

-- What costs nothing is complete without a payment.
alter table checkout_sessions drop constraint checkout_sessions_amount_cents_check;
alter table checkout_sessions add constraint checkout_sessions_amount_cents_check check (amount_cents >= 0) not valid;
alter table payment_intents drop constraint payment_intents_expected_amount_cents_check;
alter table payment_intents add constraint payment_intents_expected_amount_cents_check
  check (expected_amount_cents > 0 or (expected_amount_cents = 0 and session_ordering_key is not null)) not valid;

-- The discount of the next periods, for how many of them (none: all), and of the periods that are paid.
alter table subscriptions
  add column discount_id uuid,
  add column discount_periods_left integer,
  add column period_discount_id uuid,
  add column prepaid_discount_id uuid;
alter table subscriptions
  add constraint subscriptions_discount_check
    check (discount_periods_left is null or (discount_periods_left > 0 and discount_id is not null)) not valid;
