-- One that ended because its renewal was not paid still says where that can be paid.
alter table subscriptions drop constraint subscriptions_check11;
alter table subscriptions add constraint subscriptions_renewal_is_its_own check
  (renewal_invoice_id is null or status in ('active', 'past_due')
    or (status = 'canceled' and cancel_reason is not distinct from 'payment_overdue')) not valid;
alter table subscriptions validate constraint subscriptions_renewal_is_its_own;
