-- Where money is looked for: one account per payout address, with how far its history has been read.
create table watched_accounts (
  destination text primary key,
  account text not null,
  -- Whose money it is when nothing else tells.
  merchant_id uuid not null references merchants (id),
  -- Nothing before this moment is ours.
  watch_since timestamptz not null,
  watch_until timestamptz not null,
  -- The newest signature that is stored as final: reading goes back to it and no further.
  cursor_signature text,
  cursor_slot bigint,
  -- Every transaction with a block time up to here has been read.
  read_through timestamptz,
  next_poll_at timestamptz not null,
  last_problem text,
  check (watch_until > watch_since)
);

create index watched_accounts_due on watched_accounts (next_poll_at);

-- What each transaction brought to a destination. Confirmed may still vanish; finalized never changes.
create table arrivals (
  signature text not null,
  destination text not null references watched_accounts (destination),
  slot bigint not null,
  block_time timestamptz not null,
  received_base_units numeric(20, 0) not null check (received_base_units >= 0),
  -- What the account held afterwards: proof, later, that nothing was overlooked. Null when it was not touched.
  balance_after numeric(20, 0),
  has_failed boolean not null,
  is_final boolean not null,
  seen_at timestamptz not null,
  primary key (signature, destination)
);

create index arrivals_not_final on arrivals (seen_at) where not is_final;
create index arrivals_by_slot on arrivals (destination, slot);

-- Which intent got how much of an arrival. Final ones are what the intent has received.
create table credits (
  merchant_id uuid not null,
  intent_id uuid not null,
  signature text not null,
  destination text not null,
  base_units numeric(20, 0) not null check (base_units > 0),
  is_final boolean not null,
  created_at timestamptz not null,
  primary key (merchant_id, intent_id, signature),
  foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id),
  foreign key (signature, destination) references arrivals (signature, destination)
);

create index credits_by_signature on credits (signature, destination);

-- Money that needs a person: it matches nothing, is too much, came too late, or is of the wrong kind.
create table payment_exceptions (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  kind text not null check (
    kind in ('unmatched', 'ambiguous', 'wrong_mint', 'canceled', 'late', 'surplus', 'duplicate_order')
  ),
  status text not null default 'open' check (status in ('open', 'linked', 'returned')),
  signature text not null,
  destination text not null,
  mint text not null,
  base_units numeric(38, 0) not null check (base_units > 0),
  intent_id uuid,
  linked_intent_id uuid,
  note text,
  created_at timestamptz not null,
  resolved_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id),
  foreign key (merchant_id, linked_intent_id) references payment_intents (merchant_id, id),
  check ((status = 'open') = (resolved_at is null)),
  check ((status = 'linked') = (linked_intent_id is not null))
);

create unique index payment_exceptions_once
  on payment_exceptions (merchant_id, signature, destination, kind, mint, intent_id) nulls not distinct;

-- What an intent falls back to when a confirmed payment vanishes, and when its page asks for a closer look.
alter table payment_intents
  add column resting_status text not null default 'pending' check (resting_status in ('pending', 'failed', 'expired')),
  add column reference_check_at timestamptz;

create index payment_intents_reference_checks on payment_intents (reference_check_at)
  where reference_check_at is not null;

-- Payers know an id and have no key.
create unique index payment_intents_by_id on payment_intents (id);
create unique index terminals_by_id on terminals (id);

-- Expiry goes by destination: only what has been read past its moment may expire.
drop index payment_intents_due;
create index payment_intents_due on payment_intents (destination_address, expires_at)
  where status in ('pending', 'failed');

-- How far the sandbox has moved its clock.
alter table installation add column clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0);
