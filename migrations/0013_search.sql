-- What a person types into the search: how an order, a name, an address or a number begins, or an exact amount.

-- Compared byte by byte, all that begins alike is one range of an index. What was equal stays equal.
alter table payment_intents alter column order_id type text collate "C";
alter table customers alter column external_customer_id type text collate "C";

create index payment_intents_by_amount on payment_intents (merchant_id, expected_amount_cents, id);

create index customers_by_email on customers (merchant_id, (lower(email) collate "C"), id) where email is not null;
create index customers_by_name on customers (merchant_id, (lower(name) collate "C"), id) where name is not null;
-- People are asked for by their last name as well.
create index customers_by_last_name on customers (merchant_id, (lower(substring(name from '\S+$')) collate "C"), id)
  where name is not null;

create index checkout_sessions_by_email on checkout_sessions (merchant_id, (lower(customer_email) collate "C"), id)
  where customer_email is not null;

create index invoices_by_number_text on invoices (merchant_id, (lower(number_text) collate "C"), id);
create index invoices_by_amount on invoices (merchant_id, total_cents, id);

create index products_by_name on products (merchant_id, (lower(name) collate "C"), id);
create index payment_links_by_name on payment_links (merchant_id, (lower(name) collate "C"), id)
  where name is not null and deleted_at is null;

-- An intent's history tells of the money that was left over.
create index payment_exceptions_by_intent on payment_exceptions (merchant_id, intent_id) where intent_id is not null;
create index payment_exceptions_by_linked_intent on payment_exceptions (merchant_id, linked_intent_id)
  where linked_intent_id is not null;
