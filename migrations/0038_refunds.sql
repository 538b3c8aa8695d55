-- Money sent back to a customer: signed by the merchant's wallet, proven by the chain, and booked as a credit note.
create table refunds (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  -- Without gaps within a merchant. It is the memo of the transfer, for all to read.
  number bigint not null check (number > 0),
  project_id uuid,
  customer_id uuid,
  -- The payment whose received money is sent back; null for money that no payment was credited with.
  payment_intent_id uuid,
  invoice_id uuid,
  exception_id uuid,
  status text not null check (status in ('awaiting_address', 'ready', 'processing', 'succeeded', 'canceled', 'expired')),
  amount_cents bigint not null check (amount_cents > 0),
  -- What has finally arrived at the address; more than the amount where it was sent twice.
  sent_base_units numeric(38, 0) not null default 0 check (sent_base_units >= 0),
  reason text not null check (reason in ('requested_by_customer', 'duplicate', 'fraudulent', 'overpaid', 'other')),
  note text check (char_length(note) between 1 and 2000),
  address text check (char_length(address) between 32 and 44),
  address_source text check (address_source in ('merchant', 'customer', 'payer')),
  address_approved_at timestamptz,
  -- The wallet the payment came from, as far as it is known. It may be an exchange's, from which there is no way back.
  payer_address text check (char_length(payer_address) between 32 and 44),
  reference_address text not null check (char_length(reference_address) between 32 and 44),
  claim_token_hash bytea check (octet_length(claim_token_hash) = 32),
  notify_customer boolean not null,
  revoke_credits boolean not null,
  cancel_subscription boolean not null,
  -- Set while a refund that succeeded still has to revoke credits or to cancel a subscription.
  effects_due_at timestamptz,
  tx_signature text,
  sequence integer not null default 0,
  -- Where its reference is to be looked up next, and the last transaction there that needs no second look.
  check_at timestamptz,
  checked_signature text,
  prepared_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  succeeded_at timestamptz,
  canceled_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, number),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, payment_intent_id) references payment_intents (merchant_id, id),
  foreign key (merchant_id, project_id, invoice_id) references invoices (merchant_id, project_id, id),
  foreign key (merchant_id, exception_id) references payment_exceptions (merchant_id, id),
  check (payment_intent_id is not null or exception_id is not null),
  check ((address is null) = (address_source is null)),
  check (address_approved_at is null or address is not null),
  -- Money is only ever sent to an address that was approved.
  check (status not in ('ready', 'processing', 'succeeded') or address_approved_at is not null),
  check (status <> 'awaiting_address' or address_approved_at is null),
  check ((status = 'succeeded') = (succeeded_at is not null)),
  check (status <> 'succeeded' or (tx_signature is not null and sent_base_units >= amount_cents::numeric * 10000)),
  check ((status = 'canceled') = (canceled_at is not null))
);
create unique index refunds_by_reference on refunds (reference_address);
create unique index refunds_by_claim_token on refunds (claim_token_hash) where claim_token_hash is not null;
create index refunds_by_status on refunds (merchant_id, status, id);
create index refunds_by_project on refunds (merchant_id, project_id, id) where project_id is not null;
create index refunds_by_customer on refunds (merchant_id, customer_id, id) where customer_id is not null;
create index refunds_by_intent on refunds (merchant_id, payment_intent_id, id) where payment_intent_id is not null;
create index refunds_by_invoice on refunds (merchant_id, invoice_id, id) where invoice_id is not null;
create index refunds_by_exception on refunds (merchant_id, exception_id, id) where exception_id is not null;
create index refunds_by_signature on refunds (merchant_id, tx_signature) where tx_signature is not null;
create index refunds_succeeded on refunds (merchant_id, succeeded_at) where status = 'succeeded';
create index refunds_to_check on refunds (check_at) where check_at is not null;
create index refunds_to_expire on refunds (expires_at) where status in ('awaiting_address', 'ready');
create index refunds_with_effects on refunds (effects_due_at) where effects_due_at is not null;

-- What the chain shows of a refund: transactions that carry its reference and made its address grow.
create table refund_transfers (
  merchant_id uuid not null,
  refund_id uuid not null,
  signature text not null,
  slot bigint not null,
  block_time timestamptz not null,
  base_units numeric(20, 0) not null check (base_units > 0),
  is_final boolean not null,
  created_at timestamptz not null,
  primary key (merchant_id, refund_id, signature),
  foreign key (merchant_id, refund_id) references refunds (merchant_id, id)
);

create table credit_notes (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  -- Without gaps within a merchant.
  number bigint not null check (number > 0),
  refund_id uuid not null,
  project_id uuid,
  customer_id uuid,
  invoice_id uuid,
  amount_cents bigint not null check (amount_cents > 0),
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, number),
  unique (merchant_id, refund_id),
  foreign key (merchant_id, refund_id) references refunds (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, invoice_id) references invoices (merchant_id, project_id, id)
);
create index credit_notes_by_project on credit_notes (merchant_id, project_id, id) where project_id is not null;
create index credit_notes_by_customer on credit_notes (merchant_id, customer_id, id) where customer_id is not null;
create index credit_notes_by_invoice on credit_notes (merchant_id, invoice_id, id) where invoice_id is not null;
create trigger credit_notes_only_grow before update or delete or truncate on credit_notes
  for each statement execute function refuse_change_but_reset();

-- The numbers given last. One row for each merchant that has refunded something.
create table refund_counters (
  merchant_id uuid primary key references merchants (id),
  last_refund_number bigint not null default 0,
  last_credit_note_number bigint not null default 0
);

alter table invoices add column refunded_cents numeric(38, 0) not null default 0 check (refunded_cents >= 0);

-- The refund that sends the money back; or, of `over_refunded`, the one that more was sent for than it was for.
alter table payment_exceptions add column refund_id uuid;
alter table payment_exceptions add foreign key (merchant_id, refund_id) references refunds (merchant_id, id) deferrable;
alter table payment_exceptions drop constraint payment_exceptions_kind_check;
alter table payment_exceptions add constraint payment_exceptions_kind_check
  check (kind in ('unmatched', 'ambiguous', 'wrong_mint', 'canceled', 'late', 'surplus', 'duplicate_order', 'stray', 'over_refunded')) not valid;
create unique index payment_exceptions_once_new on payment_exceptions
  (merchant_id, signature, destination, kind, mint, intent_id, (case when kind = 'over_refunded' then refund_id end)) nulls not distinct;
drop index payment_exceptions_once;
alter index payment_exceptions_once_new rename to payment_exceptions_once;

alter table postings drop constraint postings_counter_account_check;
alter table postings add constraint postings_counter_account_check
  check (counter_account in ('top_up', 'usage', 'adjustment', 'invoice', 'stray_payment', 'plan_change', 'refund')) not valid;
