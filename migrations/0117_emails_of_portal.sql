-- @expands
-- @each-statement-alone
create index concurrently emails_of_portal on emails (merchant_id, customer_id)
  where kind in ('portal_sign_in', 'email_confirmation', 'email_change');
