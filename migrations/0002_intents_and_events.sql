create table terminals (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text check (char_length(name) between 1 and 128),
  is_active boolean not null default true,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);

-- Ids are UUID v7 made from created_at, so the primary key also gives "newest first".
create table payment_intents (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  order_id text check (char_length(order_id) between 1 and 128),
  terminal_id uuid,
  expected_amount_cents bigint not null check (expected_amount_cents > 0),
  received_base_units numeric(38, 0) not null default 0 check (received_base_units >= 0),
  reference_address text not null,
  destination_address text not null,
  status text not null default 'pending' check (
    status in ('pending', 'processing', 'underpaid', 'succeeded', 'failed', 'expired', 'canceled')
  ),
  tx_signature text,
  sequence integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  succeeded_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, terminal_id) references terminals (merchant_id, id),
  check ((status = 'succeeded') = (succeeded_at is not null)),
  check (status not in ('pending', 'expired', 'canceled') or received_base_units = 0)
);

-- What a terminal shows. Whoever changes it holds the terminal's row, so there is never a doubt which one it is.
alter table terminals
  add column current_intent_id uuid,
  add foreign key (merchant_id, current_intent_id) references payment_intents (merchant_id, id) deferrable;

create unique index payment_intents_by_reference on payment_intents (reference_address);
create index payment_intents_by_order on payment_intents (merchant_id, order_id, id);
create index payment_intents_by_terminal on payment_intents (merchant_id, terminal_id, id)
  where terminal_id is not null;
create index payment_intents_due on payment_intents (expires_at) where status in ('pending', 'failed');
create index payment_intents_succeeded on payment_intents (merchant_id, succeeded_at)
  where status = 'succeeded';

-- The outbox: a fact is written in the transaction that makes it true. `written_by` orders facts by their
-- transaction, so that a reader who stops below the oldest running one never skips a late commit.
create table events (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  written_by xid8 not null default pg_current_xact_id(),
  event text not null,
  object_type text not null,
  object_id uuid not null,
  sequence integer not null check (sequence > 0),
  status text not null,
  previous_status text,
  lane uuid not null,
  body text not null,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);

create unique index events_by_object on events (merchant_id, object_id, sequence);
create index events_in_order on events (merchant_id, written_by, id);

create trigger events_only_grow before update on events
  for each statement execute function refuse_change();

-- Same key, same answer. The row, the effect and the answer commit together; the primary key decides races.
create table idempotency_keys (
  merchant_id uuid not null references merchants (id),
  operation text not null,
  key text not null check (char_length(key) between 1 and 255),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  resource_id uuid,
  status smallint,
  answer text,
  created_at timestamptz not null,
  primary key (merchant_id, operation, key)
);

-- Rows arrive in order of time and leave in it: a block range index finds the old ones for next to nothing.
create index idempotency_keys_by_age on idempotency_keys using brin (created_at)
  with (pages_per_range = 32, autosummarize = on);
