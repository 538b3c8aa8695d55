-- One usage record, written by one statement in one transaction.
\set quantity random(1, 1000)
insert into usage_records (merchant_id, id, project_id, metric, quantity, customer_id, idempotency_key, created_at)
values (:merchant, uuidv7(), :project, 'api.calls', :quantity, :customer, gen_random_uuid()::text, now());
