-- What a merchant's people write about customers and payments, for themselves.
create table notes (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid,
  payment_intent_id uuid,
  author text not null check (char_length(author) between 1 and 255),
  text text not null check (char_length(text) between 1 and 2000),
  created_at timestamptz not null,
  edited_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, customer_id) references customers (merchant_id, id),
  foreign key (merchant_id, payment_intent_id) references payment_intents (merchant_id, id) on delete cascade,
  constraint notes_about_one check (num_nonnulls(customer_id, payment_intent_id) = 1)
);
create index notes_by_customer on notes (merchant_id, customer_id, id) where customer_id is not null;
create index notes_by_payment on notes (merchant_id, payment_intent_id, id) where payment_intent_id is not null;
