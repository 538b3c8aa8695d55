-- The rows of one intent, written by one statement in one transaction.
\set amount random(1, 100000)
\set order random(1, 2000000000)
with intent as (
  insert into payment_intents (merchant_id, id, order_id, expected_amount_cents, reference_address,
                               destination_address, created_at, expires_at)
  values (:merchant, uuidv7(), 'order-' || :order, :amount,
          replace(gen_random_uuid()::text, '-', '') || left(gen_random_uuid()::text, 12),
          :destination, now(), now() + interval '30 minutes')
  returning id
)
insert into idempotency_keys (merchant_id, operation, key, fingerprint, resource_id, status, answer, created_at)
select :merchant::uuid, 'createIntent', gen_random_uuid()::text,
       '\x9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'::bytea, id, 200, :answer, now()
  from intent;
