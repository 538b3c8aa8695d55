-- @expands
-- An address that a customer types in the portal becomes theirs when a link that was mailed to it is opened. Until then it
-- waits here, at most one for a customer; those that have ended are kept for a while to be counted.
create table portal_email_changes (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  customer_id uuid not null,
  email text not null check (char_length(email) between 1 and 254),
  -- Of the address that it replaces; null: there was none.
  from_email_hash bytea check (octet_length(from_email_hash) = 32),
  -- Whether the visit that asked was opened by a link mailed to that address.
  is_by_email boolean not null,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  asked_from_hash bytea not null check (octet_length(asked_from_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  outcome text check (outcome in ('confirmed', 'withdrawn', 'replaced')),
  primary key (merchant_id, id),
  check (expires_at > created_at and expires_at <= created_at + interval '24 hours'),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id)
);
create unique index portal_email_changes_waiting on portal_email_changes (merchant_id, customer_id) where outcome is null;
create unique index portal_email_changes_by_token on portal_email_changes (token_hash);
create index portal_email_changes_by_customer on portal_email_changes (merchant_id, customer_id, created_at);
create index portal_email_changes_by_network on portal_email_changes (merchant_id, project_id, asked_from_hash, created_at);
create index portal_email_changes_by_email on portal_email_changes (merchant_id, project_id, lower(email) collate "C", created_at);
create index portal_email_changes_old on portal_email_changes (expires_at);

alter table emails
  drop constraint emails_kind_check,
  drop constraint emails_to_somebody;
alter table emails
  add constraint emails_kind_check check (kind in (
    'renewal', 'reminder', 'past_due', 'canceled', 'receipt', 'trial_started', 'trial_ending', 'trial_reminder',
    'invoice', 'invoice_reminder', 'invoice_overdue', 'rest_reminder', 'payout_address_changed',
    'payout_delay_changed', 'webhook_url_changed', 'sponsor_low', 'refund_claim', 'refund_sent', 'plan_changed',
    'plan_change_planned', 'plan_change_to_pay', 'plan_change_withdrawn', 'cancellation_set',
    'subscription_ended', 'cancellation_undone', 'portal_sign_in', 'email_confirmation', 'email_change')) not valid,
  add constraint emails_to_somebody check (
    case
      when kind in ('payout_address_changed', 'payout_delay_changed', 'webhook_url_changed', 'sponsor_low')
        then member_id is not null and num_nonnulls(project_id, customer_id, invoice_id, refund_id, subscription_id) = 0
      when kind in ('refund_claim', 'refund_sent')
        then num_nonnulls(member_id, invoice_id, subscription_id) = 0 and num_nonnulls(project_id, customer_id, refund_id) = 3
      when kind in ('plan_changed', 'plan_change_planned', 'plan_change_to_pay', 'plan_change_withdrawn',
                    'cancellation_set', 'subscription_ended', 'cancellation_undone')
        then num_nonnulls(member_id, invoice_id, refund_id) = 0
             and num_nonnulls(project_id, customer_id, subscription_id) = 3
      when kind in ('portal_sign_in', 'email_confirmation', 'email_change')
        then num_nonnulls(member_id, invoice_id, refund_id, subscription_id) = 0
             and num_nonnulls(project_id, customer_id) = 2
             and (kind = 'portal_sign_in' or facts ->> 'mailbox' is not null)
      else num_nonnulls(member_id, refund_id, subscription_id) = 0
           and num_nonnulls(project_id, customer_id, invoice_id) = 3
    end) not valid;
