-- Where the customer of a subscription is sent after its renewals and changes: at first where its first session sent them.
alter table subscriptions add column success_url text, add column cancel_url text;
update subscriptions b set success_url = s.success_url, cancel_url = s.cancel_url
  from invoices v
  join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
 where v.merchant_id = b.merchant_id and v.subscription_id = b.id and v.billing_reason = 'subscription_create'
   and b.status in ('incomplete', 'active', 'past_due') and (s.success_url is not null or s.cancel_url is not null);
