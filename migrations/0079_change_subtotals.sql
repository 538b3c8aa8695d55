-- A plan change can take off more than it charges before tax, where one price contains its tax and the other does not.
alter table invoices drop constraint invoices_subtotal_cents_check;
alter table invoices add constraint invoices_subtotal_cents_check
  check (subtotal_cents >= 0 or billing_reason = 'subscription_change') not valid;
