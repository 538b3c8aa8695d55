-- Owners get an e-mail when webhooks are sent somewhere else.
alter table letters
  drop constraint letters_kind_check,
  drop constraint letters_to_somebody,
  add constraint letters_kind_check check (
    kind in ('renewal', 'reminder', 'past_due', 'canceled', 'receipt', 'payout_address_changed', 'webhook_url_changed')
  ) not valid,
  add constraint letters_to_somebody check (
    case when kind in ('payout_address_changed', 'webhook_url_changed')
      then member_id is not null and num_nonnulls(project_id, customer_id, invoice_id) = 0
      else member_id is null and num_nonnulls(project_id, customer_id, invoice_id) = 3
    end
  ) not valid;

alter table letters validate constraint letters_kind_check;
alter table letters validate constraint letters_to_somebody;
