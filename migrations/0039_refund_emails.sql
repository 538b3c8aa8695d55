-- Customers are told of their refunds: where to say which address it goes to, and that it was sent.
alter table emails add column refund_id uuid;
alter table emails add constraint emails_merchant_id_refund_id_fkey
  foreign key (merchant_id, refund_id) references refunds (merchant_id, id) deferrable not valid;
alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check check (kind in ('renewal', 'reminder', 'past_due', 'canceled', 'receipt',
  'payout_address_changed', 'payout_delay_changed', 'webhook_url_changed', 'refund_claim', 'refund_sent')) not valid;
alter table emails drop constraint emails_to_somebody;
alter table emails add constraint emails_to_somebody check (
  case when kind in ('payout_address_changed', 'payout_delay_changed', 'webhook_url_changed')
       then member_id is not null and num_nonnulls(project_id, customer_id, invoice_id, refund_id) = 0
       when kind in ('refund_claim', 'refund_sent')
       then num_nonnulls(member_id, invoice_id) = 0 and num_nonnulls(project_id, customer_id, refund_id) = 3
       else num_nonnulls(member_id, refund_id) = 0 and num_nonnulls(project_id, customer_id, invoice_id) = 3 end) not valid;
-- A claim link opens the refund's page: once the e-mail has gone out, or never will, it is not kept.
alter table emails add constraint emails_keep_no_claim_link
  check (next_attempt_at is not null or not (facts ? 'claimUrl')) not valid;
create unique index emails_of_refund_once on emails (merchant_id, refund_id, kind) where refund_id is not null;
