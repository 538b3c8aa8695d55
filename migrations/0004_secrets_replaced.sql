-- @expands

-- Owners get an e-mail when a lost secret key took their secrets with it.
alter table emails
  drop constraint emails_kind_check,
  add constraint emails_kind_check check (kind in (
    'renewal', 'reminder', 'past_due', 'canceled', 'receipt', 'trial_started', 'trial_ending',
    'trial_reminder', 'invoice', 'invoice_reminder', 'invoice_overdue', 'rest_reminder',
    'payout_address_changed', 'payout_delay_changed', 'webhook_url_changed', 'secrets_replaced', 'sponsor_low',
    'refund_claim', 'refund_sent', 'plan_changed', 'plan_change_planned', 'plan_change_to_pay',
    'plan_change_withdrawn', 'cancellation_set', 'subscription_ended', 'cancellation_undone', 'portal_sign_in',
    'email_confirmation', 'email_change', 'trial_confirmation'
  )) not valid,
  drop constraint emails_to_somebody,
  add constraint emails_to_somebody check (
    case
      when kind in ('payout_address_changed', 'payout_delay_changed', 'webhook_url_changed', 'secrets_replaced', 'sponsor_low')
        then member_id is not null
             and num_nonnulls(project_id, customer_id, invoice_id, refund_id, subscription_id) = 0
      when kind in ('refund_claim', 'refund_sent')
        then num_nonnulls(member_id, invoice_id, subscription_id) = 0
             and num_nonnulls(project_id, customer_id, refund_id) = 3
      when kind in ('plan_changed', 'plan_change_planned', 'plan_change_to_pay', 'plan_change_withdrawn',
                    'cancellation_set', 'subscription_ended', 'cancellation_undone')
        then num_nonnulls(member_id, invoice_id, refund_id) = 0
             and num_nonnulls(project_id, customer_id, subscription_id) = 3
      when kind in ('portal_sign_in', 'email_confirmation', 'email_change')
        then num_nonnulls(member_id, invoice_id, refund_id, subscription_id) = 0
             and num_nonnulls(project_id, customer_id) = 2
             and (kind = 'portal_sign_in' or facts ->> 'mailbox' is not null)
      when kind = 'trial_confirmation'
        then num_nonnulls(member_id, customer_id, invoice_id, refund_id, subscription_id) = 0
             and project_id is not null and (next_attempt_at is not null) = (facts ->> 'mailbox' is not null)
      else num_nonnulls(member_id, refund_id, subscription_id) = 0
           and num_nonnulls(project_id, customer_id, invoice_id) = 3
    end
  ) not valid;
