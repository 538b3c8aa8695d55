-- Invoices that a merchant writes by hand: a draft first, then open with a number.
alter table invoices
  add column memo text,
  -- What a draft is to be for, as it was requested; null once it is open.
  add column draft jsonb,
  add column opened_at timestamptz,
  add column checkout_url text,
  add column sent_at timestamptz,
  add column times_sent integer default 0 not null,
  -- The next reminder, and how many steps of the schedule are done.
  add column next_step_at timestamptz,
  add column steps_done smallint default 0 not null;

alter table invoices
  drop constraint invoices_status_check,
  drop constraint invoices_billing_reason_check;
alter table invoices
  add constraint invoices_status_check
    check (status in ('draft', 'open', 'paid', 'void', 'uncollectible')) not valid,
  add constraint invoices_billing_reason_check
    check (billing_reason in ('one_time', 'balance_top_up', 'subscription_create', 'subscription_cycle',
                              'subscription_change', 'manual')) not valid,
  -- A draft is nobody's debt: no number, no checkout, no money, no events, no e-mails.
  add constraint invoices_draft_check check (
    (status = 'draft') = (draft is not null)
    and (status <> 'draft' or (billing_reason = 'manual' and number is null and checkout_session_id is null
         and sequence = 0 and credit_applied_cents = 0 and amount_paid_cents = 0 and sent_at is null
         and next_step_at is null and opened_at is null and checkout_url is null))) not valid,
  add constraint invoices_manual_check check (
    billing_reason <> 'manual'
    or (customer_id is not null and subscription_id is null
        and (status = 'draft' or (number is not null and checkout_session_id is not null and due_at is not null
             and opened_at is not null and checkout_url is not null)))) not valid,
  add constraint invoices_memo_check check (char_length(memo) between 1 and 1000) not valid,
  add constraint invoices_sent_check
    check (times_sent >= 0 and (times_sent > 0) = (sent_at is not null)) not valid,
  add constraint invoices_steps_check
    check (steps_done >= 0 and (next_step_at is null or (billing_reason = 'manual' and status = 'open'))) not valid;

create index invoices_due_steps on invoices (next_step_at) where next_step_at is not null;

alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check check (kind in (
  'renewal', 'reminder', 'past_due', 'canceled', 'receipt', 'trial_started', 'trial_ending', 'trial_reminder',
  'invoice', 'invoice_reminder', 'invoice_overdue', 'payout_address_changed', 'payout_delay_changed',
  'webhook_url_changed', 'sponsor_low', 'refund_claim', 'refund_sent')) not valid;
