-- E-mails about a subscription: its plan was changed, or it was canceled, or not after all. Once for each change of it.
alter table emails
  add column subscription_id uuid,
  add constraint emails_merchant_id_subscription_id_fkey foreign key (merchant_id, subscription_id)
    references subscriptions (merchant_id, id) deferrable not valid;

alter table emails
  drop constraint emails_kind_check,
  drop constraint emails_to_somebody;
alter table emails
  add constraint emails_kind_check check (kind in (
    'renewal', 'reminder', 'past_due', 'canceled', 'receipt', 'trial_started', 'trial_ending', 'trial_reminder',
    'invoice', 'invoice_reminder', 'invoice_overdue', 'rest_reminder', 'payout_address_changed',
    'payout_delay_changed', 'webhook_url_changed', 'sponsor_low', 'refund_claim', 'refund_sent', 'plan_changed',
    'plan_change_planned', 'plan_change_to_pay', 'plan_change_withdrawn', 'cancellation_set',
    'subscription_ended', 'cancellation_undone')) not valid,
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
      else num_nonnulls(member_id, refund_id, subscription_id) = 0
           and num_nonnulls(project_id, customer_id, invoice_id) = 3
    end) not valid;

create unique index emails_of_change_once on emails (merchant_id, subscription_id, kind, number)
  where subscription_id is not null;
