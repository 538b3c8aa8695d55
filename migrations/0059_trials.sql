-- How long a subscription at this price, or from this checkout, is free at first.
alter table prices add column trial_days integer;
alter table prices add constraint prices_trial_days_check
  check (trial_days is null or (trial_days between 1 and 730 and billing_mode = 'subscription')) not valid;
alter table checkout_sessions add column trial_days integer;
alter table checkout_sessions add constraint checkout_sessions_trial_days_check
  check (trial_days between 1 and 730) not valid;

-- Checkouts that have a trial: open or complete. What closes unpaid gives it back.
create table trials (
  merchant_id uuid not null,
  session_id uuid not null,
  product_id uuid not null,
  customer_id uuid,
  email text check (char_length(email) <= 254),
  created_at timestamptz not null,
  primary key (merchant_id, session_id),
  -- Whether there is a trial decides what the session costs, so the session is written after it.
  foreign key (merchant_id, session_id) references checkout_sessions (merchant_id, id) deferrable initially deferred,
  foreign key (merchant_id, product_id) references products (merchant_id, id)
);
-- Whatever the code does: one trial of a product for each customer and each address.
create unique index trials_by_customer on trials (merchant_id, product_id, customer_id) where customer_id is not null;
create unique index trials_by_email on trials (merchant_id, product_id, email) where email is not null;

alter table subscriptions add column trial_days integer, add column trial_ends_at timestamptz;
alter table subscriptions
  drop constraint subscriptions_status_check,
  drop constraint subscriptions_renewal_is_its_own,
  drop constraint subscriptions_period_index_check;
alter table subscriptions
  add constraint subscriptions_status_check
    check (status in ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled')) not valid,
  add constraint subscriptions_renewal_is_its_own check (
    renewal_invoice_id is null or status in ('trialing', 'active', 'past_due')
    or (status = 'canceled' and cancel_reason is not distinct from 'payment_overdue')) not valid,
  -- A trial is the period before the first.
  add constraint subscriptions_period_index_check
    check (period_index >= 0 or (period_index = -1 and trial_ends_at is not null)) not valid,
  add constraint subscriptions_trial_check check (
    (trial_days is null or trial_days between 1 and 730) and (trial_ends_at is null or trial_days is not null)
    and (status <> 'trialing' or (trial_ends_at is not null and period_index is not distinct from -1))) not valid;

alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check check (kind in (
  'renewal', 'reminder', 'past_due', 'canceled', 'receipt', 'trial_started', 'trial_ending', 'trial_reminder',
  'payout_address_changed', 'payout_delay_changed', 'webhook_url_changed', 'sponsor_low', 'refund_claim', 'refund_sent'
)) not valid;
