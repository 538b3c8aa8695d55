-- What a merchant waives of an underpaid payment, which then counts as paid.
alter table payment_intents
  add column waived_base_units numeric(38,0) default 0 not null,
  add constraint payment_intents_waived_check check (
    waived_base_units = 0
    or (waived_base_units > 0 and status = 'succeeded' and received_base_units > 0
        and received_base_units + waived_base_units >= expected_amount_cents::numeric * 10000
        and waived_base_units < expected_amount_cents::numeric * 10000)) not valid;

alter table invoices
  add column waived_cents bigint default 0 not null,
  -- The same by tax rate, as credit notes have it.
  add column waived_shares jsonb default '[]' not null,
  add column reminded_at timestamptz,
  add column times_reminded integer default 0 not null,
  drop constraint invoices_check2,
  add constraint invoices_paid_check
    check (status <> 'paid' or amount_paid_cents + waived_cents >= total_cents) not valid,
  add constraint invoices_waived_check check (
    jsonb_typeof(waived_shares) = 'array'
    and ((waived_cents = 0 and waived_shares = '[]')
         or (waived_cents > 0 and waived_cents < total_cents and status = 'paid'))) not valid,
  add constraint invoices_reminded_check
    check (times_reminded >= 0 and (times_reminded > 0) = (reminded_at is not null)) not valid;

alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check check (kind in (
  'renewal', 'reminder', 'past_due', 'canceled', 'receipt', 'trial_started', 'trial_ending', 'trial_reminder',
  'invoice', 'invoice_reminder', 'invoice_overdue', 'rest_reminder', 'payout_address_changed',
  'payout_delay_changed', 'webhook_url_changed', 'sponsor_low', 'refund_claim', 'refund_sent')) not valid;
