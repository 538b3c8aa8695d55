-- A part payment that became account credit, or was listed as stray, is no longer its invoice's.
update invoices v set amount_paid_cents = 0
  from checkout_sessions s
 where s.stray_at is not null and s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
   and v.amount_paid_cents <> 0 and v.status <> 'paid';
