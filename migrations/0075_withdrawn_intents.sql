-- The order of this was canceled when money had come or was on its way: nothing more is due, and what else arrives is an
-- exception.
alter table payment_intents add column is_withdrawn boolean not null default false;
update payment_intents i set is_withdrawn = true
  from checkout_sessions s
 where s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
   and s.status = 'canceled' and i.status not in ('canceled', 'succeeded');
