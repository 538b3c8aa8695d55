-- @expands
-- @in-batches
-- Subscriptions from before it was recorded at their start have no latest invoice: it is the newest one they have.
update subscriptions b set latest_invoice_id = newest.id
  from (select s.merchant_id, s.id as subscription_id, v.id
          from subscriptions s
         cross join lateral (select id from invoices
                              where merchant_id = s.merchant_id and subscription_id = s.id and status <> 'draft'
                              order by created_at desc, id desc limit 1) as v
         where s.latest_invoice_id is null
         limit 500) as newest
 where b.merchant_id = newest.merchant_id and b.id = newest.subscription_id and b.latest_invoice_id is null;
