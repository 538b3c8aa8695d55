-- A payment whose network fee is paid by the operator's fee payer: stored before it is sent, so that after a crash it is
-- sent again or lapses, and so that it is known which payment it is, whatever the transaction itself says.
create table sponsored_transactions (
  signature text primary key check (char_length(signature) between 64 and 88),
  merchant_id uuid not null,
  intent_id uuid not null,
  payer text not null check (char_length(payer) between 32 and 44),
  via text not null check (via in ('wallet', 'x402', 'mpp')),
  message_hash bytea not null unique check (octet_length(message_hash) = 32),
  -- Signed by both, as it is sent.
  transaction bytea not null check (octet_length(transaction) <= 1232),
  fee_lamports bigint not null check (fee_lamports > 0),
  state text not null default 'prepared' check (state in ('prepared', 'sent', 'landed', 'dropped')),
  -- It landed and did nothing but cost its fee.
  has_failed boolean not null default false,
  last_valid_block_height bigint not null check (last_valid_block_height > 0),
  created_at timestamptz not null,
  next_check_at timestamptz not null,
  foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id) on delete cascade
);
-- Nothing is signed for a payment while something of it may still land.
create unique index sponsored_transactions_under_way on sponsored_transactions (merchant_id, intent_id)
  where state in ('prepared', 'sent');
create index sponsored_transactions_due on sponsored_transactions (next_check_at) where state in ('prepared', 'sent');
create index sponsored_transactions_by_intent on sponsored_transactions (merchant_id, intent_id);
create index sponsored_transactions_by_time on sponsored_transactions (merchant_id, created_at);

-- What the fee payer has spent or set aside, by UTC day: the limit holds however many processes sign.
create table sponsor_days (
  day date primary key,
  spent_lamports bigint not null check (spent_lamports >= 0),
  transactions bigint not null check (transactions >= 0)
);

-- Whether the network fees of a merchant's payers are paid. Null: as usual for the network.
alter table merchants add column sponsor_fees text check (sponsor_fees in ('never', 'when_needed', 'always'));

-- How a payment came, and from which wallet, once it is final.
alter table payment_intents add column paid_via text;
alter table payment_intents add column payer_address text;
alter table payment_intents add constraint payment_intents_paid_via_check
  check (paid_via in ('wallet', 'transfer', 'x402', 'mpp')) not valid;
create index payment_intents_by_paid_via on payment_intents (merchant_id, paid_via, id) where paid_via is not null;
