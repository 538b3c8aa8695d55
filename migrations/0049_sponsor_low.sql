-- The fee payer runs low: owners are told once, until it was topped up.
create table sponsor_low (
  address text not null check (char_length(address) between 32 and 44),
  since timestamptz not null,
  primary key (address)
);

alter table emails drop constraint emails_kind_check;
alter table emails add constraint emails_kind_check check (kind in (
  'renewal', 'reminder', 'past_due', 'canceled', 'receipt', 'payout_address_changed', 'payout_delay_changed',
  'webhook_url_changed', 'sponsor_low', 'refund_claim', 'refund_sent')) not valid;
alter table emails drop constraint emails_to_somebody;
alter table emails add constraint emails_to_somebody check (
  case
    when kind in ('payout_address_changed', 'payout_delay_changed', 'webhook_url_changed', 'sponsor_low')
      then member_id is not null and num_nonnulls(project_id, customer_id, invoice_id, refund_id) = 0
    when kind in ('refund_claim', 'refund_sent')
      then num_nonnulls(member_id, invoice_id) = 0 and num_nonnulls(project_id, customer_id, refund_id) = 3
    else num_nonnulls(member_id, refund_id) = 0 and num_nonnulls(project_id, customer_id, invoice_id) = 3
  end) not valid;
