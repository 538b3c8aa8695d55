-- What the migrations make, for reading and for review. Written by `npm run schema`.

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% only grows: % refused', tg_table_name, lower(tg_op);
end
$function$;

create sequence events_ordinal_seq as bigint start 1 increment 1 minvalue 1 maxvalue 9223372036854775807;

create table api_keys (
  merchant_id uuid not null,
  id uuid not null,
  name text,
  hash bytea not null,
  prefix text not null,
  scopes text[] not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint api_keys_pkey PRIMARY KEY (merchant_id, id),
  constraint api_keys_hash_check CHECK (octet_length(hash) = 32),
  constraint api_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint api_keys_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255),
  constraint api_keys_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['billing:read'::text, 'billing:write'::text, 'payments:read'::text, 'payments:write'::text])
);
CREATE UNIQUE INDEX api_keys_by_hash ON api_keys USING btree (hash);

create table arrivals (
  signature text not null,
  destination text not null,
  slot bigint not null,
  block_time timestamp with time zone not null,
  received_base_units numeric(20,0) not null,
  balance_after numeric(20,0),
  has_failed boolean not null,
  is_final boolean not null,
  seen_at timestamp with time zone not null,
  balance_before numeric(20,0),
  constraint arrivals_pkey PRIMARY KEY (signature, destination),
  constraint arrivals_destination_fkey FOREIGN KEY (destination) REFERENCES watched_accounts(destination),
  constraint arrivals_received_base_units_check CHECK (received_base_units >= 0::numeric)
);
CREATE INDEX arrivals_by_slot ON arrivals USING btree (destination, slot);
CREATE INDEX arrivals_not_final ON arrivals USING btree (seen_at) WHERE NOT is_final;

create table audit_entries (
  merchant_id uuid not null,
  id uuid not null,
  actor text not null,
  action text not null,
  target_id uuid,
  detail jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone not null,
  constraint audit_entries_pkey PRIMARY KEY (merchant_id, id),
  constraint audit_entries_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE TRIGGER audit_entries_only_grow BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table credits (
  merchant_id uuid not null,
  intent_id uuid not null,
  signature text not null,
  destination text not null,
  base_units numeric(20,0) not null,
  is_final boolean not null,
  created_at timestamp with time zone not null,
  constraint credits_pkey PRIMARY KEY (merchant_id, intent_id, signature),
  constraint credits_base_units_check CHECK (base_units > 0::numeric),
  constraint credits_merchant_id_intent_id_fkey FOREIGN KEY (merchant_id, intent_id) REFERENCES payment_intents(merchant_id, id),
  constraint credits_signature_destination_fkey FOREIGN KEY (signature, destination) REFERENCES arrivals(signature, destination)
);
CREATE INDEX credits_by_signature ON credits USING btree (signature, destination);

create table events (
  merchant_id uuid not null,
  id uuid not null,
  written_by xid8 default pg_current_xact_id() not null,
  event text not null,
  object_type text not null,
  object_id uuid not null,
  sequence integer not null,
  status text not null,
  previous_status text,
  lane uuid not null,
  body text not null,
  created_at timestamp with time zone not null,
  ordinal bigint generated always as identity not null,
  constraint events_pkey PRIMARY KEY (merchant_id, id),
  constraint events_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint events_sequence_check CHECK (sequence > 0)
);
CREATE UNIQUE INDEX events_by_object ON events USING btree (merchant_id, object_id, sequence);
CREATE INDEX events_in_order ON events USING btree (merchant_id, written_by, id);
CREATE TRIGGER events_only_grow BEFORE UPDATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table idempotency_keys (
  merchant_id uuid not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  resource_id uuid,
  status smallint,
  answer text,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (merchant_id, operation, key),
  constraint idempotency_keys_fingerprint_check CHECK (octet_length(fingerprint) = 32),
  constraint idempotency_keys_key_check CHECK (char_length(key) >= 1 AND char_length(key) <= 255),
  constraint idempotency_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');

create table installation (
  only_row boolean default true not null,
  network text not null,
  sealed_check bytea not null,
  created_at timestamp with time zone not null,
  clock_offset_ms bigint default 0 not null,
  constraint installation_pkey PRIMARY KEY (only_row),
  constraint installation_clock_offset_ms_check CHECK (clock_offset_ms >= 0),
  constraint installation_network_check CHECK (network = ANY (ARRAY['sandbox'::text, 'devnet'::text, 'mainnet'::text])),
  constraint installation_only_row_check CHECK (only_row)
);

create table merchants (
  id uuid not null,
  name text,
  payout_address text,
  verification_status smallint default 0 not null,
  webhook_url text,
  webhook_secret bytea not null,
  previous_webhook_secret bytea,
  previous_webhook_secret_until timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint merchants_pkey PRIMARY KEY (id),
  constraint merchants_check CHECK ((previous_webhook_secret IS NULL) = (previous_webhook_secret_until IS NULL)),
  constraint merchants_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255),
  constraint merchants_payout_address_check CHECK (char_length(payout_address) >= 32 AND char_length(payout_address) <= 44),
  constraint merchants_verification_status_check CHECK (verification_status >= 0 AND verification_status <= 3),
  constraint merchants_webhook_url_check CHECK (char_length(webhook_url) >= 1 AND char_length(webhook_url) <= 2048)
);

create table pasted_signatures (
  merchant_id uuid not null,
  intent_id uuid not null,
  signature text not null,
  pasted_at timestamp with time zone not null,
  constraint pasted_signatures_pkey PRIMARY KEY (merchant_id, intent_id, signature),
  constraint pasted_signatures_merchant_id_intent_id_fkey FOREIGN KEY (merchant_id, intent_id) REFERENCES payment_intents(merchant_id, id)
);

create table payment_exceptions (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  status text default 'open'::text not null,
  signature text not null,
  destination text not null,
  mint text not null,
  base_units numeric(38,0) not null,
  intent_id uuid,
  linked_intent_id uuid,
  note text,
  created_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint payment_exceptions_pkey PRIMARY KEY (merchant_id, id),
  constraint payment_exceptions_base_units_check CHECK (base_units > 0::numeric),
  constraint payment_exceptions_check CHECK ((status = 'open'::text) = (resolved_at IS NULL)),
  constraint payment_exceptions_check1 CHECK ((status = 'linked'::text) = (linked_intent_id IS NOT NULL)),
  constraint payment_exceptions_kind_check CHECK (kind = ANY (ARRAY['unmatched'::text, 'ambiguous'::text, 'wrong_mint'::text, 'canceled'::text, 'late'::text, 'surplus'::text, 'duplicate_order'::text])),
  constraint payment_exceptions_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint payment_exceptions_merchant_id_intent_id_fkey FOREIGN KEY (merchant_id, intent_id) REFERENCES payment_intents(merchant_id, id),
  constraint payment_exceptions_merchant_id_linked_intent_id_fkey FOREIGN KEY (merchant_id, linked_intent_id) REFERENCES payment_intents(merchant_id, id),
  constraint payment_exceptions_status_check CHECK (status = ANY (ARRAY['open'::text, 'linked'::text, 'returned'::text]))
);
CREATE UNIQUE INDEX payment_exceptions_once ON payment_exceptions USING btree (merchant_id, signature, destination, kind, mint, intent_id) NULLS NOT DISTINCT;

create table payment_intents (
  merchant_id uuid not null,
  id uuid not null,
  order_id text,
  terminal_id uuid,
  expected_amount_cents bigint not null,
  received_base_units numeric(38,0) default 0 not null,
  reference_address text not null,
  destination_address text not null,
  status text default 'pending'::text not null,
  tx_signature text,
  sequence integer default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  succeeded_at timestamp with time zone,
  resting_status text default 'pending'::text not null,
  reference_check_at timestamp with time zone,
  reference_checked_at timestamp with time zone,
  constraint payment_intents_pkey PRIMARY KEY (merchant_id, id),
  constraint payment_intents_check CHECK (expires_at > created_at),
  constraint payment_intents_check1 CHECK ((status = 'succeeded'::text) = (succeeded_at IS NOT NULL)),
  constraint payment_intents_check2 CHECK ((status <> ALL (ARRAY['pending'::text, 'expired'::text, 'canceled'::text])) OR received_base_units = 0::numeric),
  constraint payment_intents_expected_amount_cents_check CHECK (expected_amount_cents > 0),
  constraint payment_intents_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint payment_intents_merchant_id_terminal_id_fkey FOREIGN KEY (merchant_id, terminal_id) REFERENCES terminals(merchant_id, id),
  constraint payment_intents_order_id_check CHECK (char_length(order_id) >= 1 AND char_length(order_id) <= 128),
  constraint payment_intents_received_base_units_check CHECK (received_base_units >= 0::numeric),
  constraint payment_intents_resting_status_check CHECK (resting_status = ANY (ARRAY['pending'::text, 'failed'::text, 'expired'::text])),
  constraint payment_intents_status_check CHECK (status = ANY (ARRAY['pending'::text, 'processing'::text, 'underpaid'::text, 'succeeded'::text, 'failed'::text, 'expired'::text, 'canceled'::text]))
);
CREATE UNIQUE INDEX payment_intents_by_id ON payment_intents USING btree (id);
CREATE INDEX payment_intents_by_order ON payment_intents USING btree (merchant_id, order_id, id);
CREATE UNIQUE INDEX payment_intents_by_reference ON payment_intents USING btree (reference_address);
CREATE INDEX payment_intents_by_terminal ON payment_intents USING btree (merchant_id, terminal_id, id) WHERE terminal_id IS NOT NULL;
CREATE INDEX payment_intents_due ON payment_intents USING btree (destination_address, expires_at) WHERE status = ANY (ARRAY['pending'::text, 'failed'::text]);
CREATE INDEX payment_intents_reference_checks ON payment_intents USING btree (reference_check_at) WHERE reference_check_at IS NOT NULL;
CREATE INDEX payment_intents_succeeded ON payment_intents USING btree (merchant_id, succeeded_at) WHERE status = 'succeeded'::text;

create table schema_migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table terminals (
  merchant_id uuid not null,
  id uuid not null,
  name text,
  is_active boolean default true not null,
  created_at timestamp with time zone not null,
  current_intent_id uuid,
  constraint terminals_pkey PRIMARY KEY (merchant_id, id),
  constraint terminals_merchant_id_current_intent_id_fkey FOREIGN KEY (merchant_id, current_intent_id) REFERENCES payment_intents(merchant_id, id) DEFERRABLE,
  constraint terminals_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint terminals_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 128)
);
CREATE UNIQUE INDEX terminals_by_id ON terminals USING btree (id);

create table undispatched_events (
  ordinal bigint not null,
  merchant_id uuid not null,
  event_id uuid not null,
  constraint undispatched_events_pkey PRIMARY KEY (ordinal)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);

create table watched_accounts (
  destination text not null,
  account text not null,
  merchant_id uuid not null,
  watch_since timestamp with time zone not null,
  watch_until timestamp with time zone not null,
  cursor_signature text,
  cursor_slot bigint,
  read_through timestamp with time zone,
  next_poll_at timestamp with time zone not null,
  last_problem text,
  next_rescan_at timestamp with time zone not null,
  proven_slot bigint,
  proven_balance numeric(20,0),
  constraint watched_accounts_pkey PRIMARY KEY (destination),
  constraint watched_accounts_check CHECK (watch_until > watch_since),
  constraint watched_accounts_check1 CHECK ((proven_slot IS NULL) = (proven_balance IS NULL)),
  constraint watched_accounts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX watched_accounts_due ON watched_accounts USING btree (next_poll_at);
CREATE INDEX watched_accounts_rescan ON watched_accounts USING btree (next_rescan_at);

create table webhook_deliveries (
  merchant_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  event text not null,
  ordinal bigint not null,
  lane uuid not null,
  resend_of uuid,
  url text not null,
  status text default 'pending'::text not null,
  attempt_count smallint default 0 not null,
  attempts jsonb default '[]'::jsonb not null,
  http_status smallint,
  error text,
  duration_ms integer,
  response_body text,
  next_attempt_at timestamp with time zone,
  holds_lane_until timestamp with time zone,
  lease_id uuid,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null,
  delivered_at timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (merchant_id, id),
  constraint webhook_deliveries_attempt_count_check CHECK (attempt_count >= 0 AND attempt_count <= 12),
  constraint webhook_deliveries_check CHECK ((status = ANY (ARRAY['pending'::text, 'retrying'::text])) = (next_attempt_at IS NOT NULL)),
  constraint webhook_deliveries_check1 CHECK ((status = 'pending'::text) = (attempt_count = 0)),
  constraint webhook_deliveries_check2 CHECK ((status = 'succeeded'::text) = (delivered_at IS NOT NULL)),
  constraint webhook_deliveries_check3 CHECK (status <> 'failed'::text OR error IS NOT NULL),
  constraint webhook_deliveries_check4 CHECK ((lease_id IS NULL) = (lease_until IS NULL)),
  constraint webhook_deliveries_check5 CHECK (lease_id IS NULL OR next_attempt_at IS NOT NULL),
  constraint webhook_deliveries_status_check CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'retrying'::text, 'failed'::text]))
) with (fillfactor=70);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');
CREATE UNIQUE INDEX webhook_deliveries_by_event ON webhook_deliveries USING btree (merchant_id, event_id) WHERE resend_of IS NULL;
CREATE INDEX webhook_deliveries_by_lane ON webhook_deliveries USING btree (merchant_id, lane, ordinal) WHERE next_attempt_at IS NOT NULL AND resend_of IS NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (merchant_id, next_attempt_at, ordinal) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_in_trouble ON webhook_deliveries USING btree (merchant_id, id) WHERE status = ANY (ARRAY['retrying'::text, 'failed'::text]);

create table webhook_endpoints (
  merchant_id uuid not null,
  claim_at timestamp with time zone,
  settled_through bigint default 0 not null,
  constraint webhook_endpoints_pkey PRIMARY KEY (merchant_id),
  constraint webhook_endpoints_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
CREATE INDEX webhook_endpoints_due ON webhook_endpoints USING btree (claim_at) WHERE claim_at IS NOT NULL;
