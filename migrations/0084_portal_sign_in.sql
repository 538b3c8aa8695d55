-- Customers ask for a link to their portal by e-mail. What was asked waits here for a worker, whether or not the address
-- is anybody's, so that the answer takes equally long.
create table portal_sign_ins (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  email text not null check (char_length(email) between 1 and 254),
  language text not null check (char_length(language) between 2 and 35),
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id)
);
create index portal_sign_ins_by_age on portal_sign_ins (created_at);

-- Pages of a project are found by its id alone.
create index projects_by_id on projects (id);

-- Links that were asked for by e-mail are counted, and work for a quarter of an hour.
alter table portal_sessions add column is_by_email boolean default false not null;
alter table portal_sessions add constraint portal_sessions_by_email_are_short
  check (not is_by_email or expires_at <= created_at + interval '15 minutes') not valid;
alter table portal_sessions validate constraint portal_sessions_by_email_are_short;

alter table emails
  drop constraint emails_kind_check,
  drop constraint emails_to_somebody;
alter table emails
  add constraint emails_kind_check check (kind in (
    'renewal', 'reminder', 'past_due', 'canceled', 'receipt', 'trial_started', 'trial_ending', 'trial_reminder',
    'invoice', 'invoice_reminder', 'invoice_overdue', 'rest_reminder', 'payout_address_changed',
    'payout_delay_changed', 'webhook_url_changed', 'sponsor_low', 'refund_claim', 'refund_sent', 'plan_changed',
    'plan_change_planned', 'plan_change_to_pay', 'plan_change_withdrawn', 'cancellation_set',
    'subscription_ended', 'cancellation_undone', 'portal_sign_in')) not valid,
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
      when kind = 'portal_sign_in'
        then num_nonnulls(member_id, invoice_id, refund_id, subscription_id) = 0
             and num_nonnulls(project_id, customer_id) = 2
      else num_nonnulls(member_id, refund_id, subscription_id) = 0
           and num_nonnulls(project_id, customer_id, invoice_id) = 3
    end) not valid;
create index emails_of_sign_ins on emails (merchant_id, customer_id) where kind = 'portal_sign_in';
