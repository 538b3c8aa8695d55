-- A part payment of this is being sent back, or was: what else arrives buys nothing, and needs a person.
alter table payment_intents add column is_refunding boolean not null default false;
update payment_intents i set is_refunding = true
  from refunds r
 where r.merchant_id = i.merchant_id and r.payment_intent_id = i.id
   and r.status not in ('canceled', 'expired') and i.status <> 'succeeded';
