-- All that asking for one renewal needs, in one transaction: the subscription is locked and what the request is made of
-- is read, then its rows are written. The invoice's number is taken late, because whoever comes next waits for it.
select nextval('bench_turn') as turn
\gset
begin;
select b.id as subscription, b.project_id as project, b.price_id as price, b.current_period_end as due,
       r.unit_amount_cents as amount, c.id as customer_id, c.external_customer_id as external, c.email,
       coalesce(p.payout_address, m.payout_address) as destination, coalesce(a.cents, 0) as credit,
       uuidv7() as session, uuidv7() as intent, uuidv7() as invoice,
       uuidv7() as told_first, uuidv7() as told_second, uuidv7() as told_third
  from bench_subscriptions t
  join subscriptions b on b.merchant_id = t.merchant_id and b.id = t.id
  join customers c on c.merchant_id = b.merchant_id and c.id = b.customer_id
  join projects p on p.merchant_id = b.merchant_id and p.id = b.project_id
  join merchants m on m.id = p.merchant_id
  join prices r on r.merchant_id = b.merchant_id and r.id = b.price_id
  join products d on d.merchant_id = r.merchant_id and d.id = r.product_id
  left join balances a on a.merchant_id = c.merchant_id and a.customer_id = c.id
 where t.n = :turn
   for no key update of b
\gset
insert into payment_intents (merchant_id, id, expected_amount_cents, reference_address, destination_address, created_at,
                             expires_at, session_ordering_key)
values (:merchant, :intent, :amount, replace(gen_random_uuid()::text, '-', '') || left(gen_random_uuid()::text, 12),
        :destination, now(), now() + interval '14 days', :subscription);
insert into checkout_sessions (merchant_id, id, project_id, mode, origin, price_id, amount_cents, customer_id,
                               external_customer_id, customer_email, subscription_id, payment_intent_id, token,
                               checkout_url, sequence, created_at, expires_at)
values (:merchant, :session, :project, 'subscription', 'renewal', :price, :amount, :customer_id, :external, :email,
        :subscription, :intent, 'cs_' || replace(gen_random_uuid()::text, '-', ''),
        'http://127.0.0.1:3000/checkout/cs_' || replace(gen_random_uuid()::text, '-', ''), 1, now(),
        now() + interval '14 days');
update projects set last_invoice_number = last_invoice_number + 1 where merchant_id = :merchant and id = :project
returning last_invoice_number as number
\gset
insert into invoices (merchant_id, id, project_id, number, number_text, customer_id, checkout_session_id,
                      subscription_id, billing_reason, lines, subtotal_cents, total_cents, due_at, period_start,
                      period_end, sequence, created_at)
values (:merchant, :invoice, :project, :number, 'INV-' || lpad(:number::text, 6, '0'), :customer_id, :session,
        :subscription, 'subscription_cycle', :lines, :amount, :amount, :due, :due,
        :due::timestamptz + interval '1 month', 1, now());
update subscriptions set renewal_invoice_id = :invoice, latest_invoice_id = :invoice,
                         grace_ends_at = now() + interval '14 days', reminders_sent = 0,
                         next_step_at = now() + interval '2 days', sequence = sequence + 1
 where merchant_id = :merchant and id = :subscription;
with written as (
  insert into events (merchant_id, id, event, object_type, object_id, sequence, status, previous_status, ordering_key, body,
                      created_at)
  values (:merchant, :told_first, 'invoice.created', 'invoice', :invoice, 1, 'open', null, :subscription, :invoicebody,
          now()),
         (:merchant, :told_second, 'checkout.session.created', 'checkout_session', :session, 1, 'open', null,
          :subscription, :sessionbody, now()),
         (:merchant, :told_third, 'subscription.renewal_due', 'subscription', :subscription, 3, 'active', 'active',
          :subscription, :subscriptionbody, now())
  returning ordinal, merchant_id, id
)
insert into undispatched_events (ordinal, merchant_id, event_id) select ordinal, merchant_id, id from written;
commit;
