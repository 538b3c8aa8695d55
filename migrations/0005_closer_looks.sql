-- When an intent's reference was last looked up, so that asking again and again costs no more than asking once.
alter table payment_intents add column reference_checked_at timestamptz;

-- Transactions a payer says to have paid with. Each is read like any other, and then forgotten.
create table pasted_signatures (
  merchant_id uuid not null,
  intent_id uuid not null,
  signature text not null,
  pasted_at timestamptz not null,
  primary key (merchant_id, intent_id, signature),
  foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id)
);
