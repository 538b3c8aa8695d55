-- All that one checkout session needs, in one transaction: what it is made of is read, then its rows are written. The
-- invoice's number is taken late, because whoever comes next waits for it.
\set customer random(1, :customers / :step) * :step
\set reference random(1, 2000000000)
begin;
select p.id as project, r.id as price, r.unit_amount_cents as amount, c.id as customer_id,
       coalesce(p.payout_address, m.payout_address) as destination,
       uuidv7() as session, uuidv7() as intent, uuidv7() as invoice, uuidv7() as told_first, uuidv7() as told_second
  from customers c
  join projects p on p.merchant_id = c.merchant_id and p.id = c.project_id
  join merchants m on m.id = p.merchant_id
  join prices r on r.merchant_id = p.merchant_id and r.project_id = p.id
  join products d on d.merchant_id = r.merchant_id and d.id = r.product_id
 where c.merchant_id = :merchant and c.external_customer_id = 'user-' || :customer
   and p.archived_at is null and r.is_active and d.is_active
   for key share of p
\gset
insert into idempotency_keys (merchant_id, operation, key, fingerprint, resource_id, status, answer, created_at)
values (:merchant, 'createCheckoutSession', gen_random_uuid()::text,
        '\x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'::bytea, :session, 201, :answer, now());
insert into payment_intents (merchant_id, id, order_id, expected_amount_cents, reference_address, destination_address,
                             created_at, expires_at, session_ordering_key)
values (:merchant, :intent, 'order-' || :reference, :amount,
        replace(gen_random_uuid()::text, '-', '') || left(gen_random_uuid()::text, 12), :destination, now(),
        now() + interval '1 day', :session);
insert into checkout_sessions (merchant_id, id, project_id, mode, origin, price_id, amount_cents, customer_id,
                               external_customer_id, merchant_reference, payment_intent_id, token, checkout_url,
                               volume_month, sequence, created_at, expires_at)
values (:merchant, :session, :project, 'one_time', 'key', :price, :amount, :customer_id, 'user-' || :customer,
        'order-' || :reference, :intent, 'cs_' || replace(gen_random_uuid()::text, '-', ''),
        'http://127.0.0.1:3000/checkout/cs_' || replace(gen_random_uuid()::text, '-', ''),
        date_trunc('month', now())::date, 1, now(), now() + interval '1 day');
update projects set last_invoice_number = last_invoice_number + 1 where merchant_id = :merchant and id = :project
returning last_invoice_number as number
\gset
insert into invoices (merchant_id, id, project_id, number, number_text, customer_id, checkout_session_id,
                      billing_reason, lines, subtotal_cents, total_cents, due_at, merchant_reference, sequence,
                      created_at)
values (:merchant, :invoice, :project, :number, 'INV-' || lpad(:number::text, 6, '0'), :customer_id, :session, 'one_time',
        :lines, :amount, :amount, now() + interval '1 day', 'order-' || :reference, 1, now());
with written as (
  insert into events (merchant_id, id, event, object_type, object_id, sequence, status, ordering_key, body, created_at)
  values (:merchant, :told_first, 'invoice.created', 'invoice', :invoice, 1, 'open', :session, :invoicebody, now()),
         (:merchant, :told_second, 'checkout.session.created', 'checkout_session', :session, 1, 'open', :session,
          :sessionbody, now())
  returning ordinal, merchant_id, id
)
insert into undispatched_events (ordinal, merchant_id, event_id) select ordinal, merchant_id, id from written;
commit;
