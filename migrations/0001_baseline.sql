-- The data model: every table, grouped by the folder of src/ that writes it, with its indexes and triggers beside it. A later
-- change is a migration of its own (CONTRIBUTING.md, “A migration”); `schema.sql` shows what all of them make.

-- ----------------------------------------------------------------------------------------------------
-- Shared rules
-- ----------------------------------------------------------------------------------------------------

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% only grows: % refused', tg_table_name, lower(tg_op);
end
$$;

-- A sandbox can be reset, and its postings go with everything else. Anywhere else the database refuses it, whoever asks.
create function refuse_change_but_reset() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('florin.resetting_sandbox', true) = 'yes'
     and exists (select from installation where network = 'sandbox') then
    return null;
  end if;
  raise exception '% only grows: % refused', tg_table_name, lower(tg_op);
end
$$;

-- The only change of what otherwise only grows: texts are removed while their customer is being erased.
create function refuse_change_but_erasure() returns trigger language plpgsql as $$
declare
  was jsonb := to_jsonb(old);
  becomes jsonb := to_jsonb(new);
  erased uuid := nullif(current_setting('florin.erasing_customer', true), '')::uuid;
  is_emptied boolean;
begin
  if exists (select from customer_erasures e
              where e.merchant_id = old.merchant_id and e.customer_id = erased and e.finished_at is null) then
    is_emptied := case tg_table_name
      when 'events' then
        was - 'body' = becomes - 'body'
        and (was ->> 'body')::jsonb - 'data' - 'metadata' = (becomes ->> 'body')::jsonb - 'data' - 'metadata'
      when 'postings' then
        (was ->> 'customer_id')::uuid = erased and becomes = was || '{"reason": null}'
      when 'credit_notes' then
        (was ->> 'customer_id')::uuid = erased and becomes = jsonb_set(was, '{tax,buyer,email}', 'null')
    end;
    if is_emptied then
      return new;
    end if;
  end if;
  raise exception '% only grows: % refused', tg_table_name, lower(tg_op);
end
$$;

-- ----------------------------------------------------------------------------------------------------
-- The installation (platform/db)
-- ----------------------------------------------------------------------------------------------------

-- One row says what this database is for: a mainnet database is never opened as a sandbox, and the key
-- that seals secrets is checked before anything is written with another one.
create table installation (
  only_row boolean primary key default true check (only_row),
  network text not null check (network in ('sandbox', 'devnet', 'mainnet')),
  sealed_check bytea not null,
  created_at timestamptz not null,
  -- How far the sandbox has moved its clock.
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  -- Whether the database has gone back in time. Each process remembers the highest beat it has seen, outside the database;
  -- a beat that is lower afterwards means that writes which were acknowledged are gone. A new lineage begins where an operator
  -- has restored or accepted the data, and nothing before it is compared.
  lineage uuid not null default gen_random_uuid(),
  -- What the data has been called before: a process that knew it by one of these names knows this database.
  former_lineages uuid[] not null default '{}',
  beat bigint not null default 0 check (beat >= 0),
  -- The transaction of the last beat: without a later one nothing was written, and no beat is needed.
  beat_transaction bigint not null default 0,
  went_back_at timestamptz,
  went_back text,
  -- When somebody last backed this installation up: the steps to going live show whether anybody ever has.
  backed_up_at timestamptz,
  -- Why the last backup that a worker was to make by itself failed; null after one that did not. For doctor, on any machine.
  backup_problem text,
  -- The last backup that a worker made and loaded into a database of its own to prove that it can be restored, and why the
  -- last one that was to be proven could not be.
  backup_proven_at timestamptz,
  backup_proof_problem text,
  constraint installation_went_back_check check ((went_back_at is null) = (went_back is null))
);

-- ----------------------------------------------------------------------------------------------------
-- Merchants, their images and API keys; due work set aside (accounts/merchants, accounts/images, platform/access, platform/set-aside)
-- ----------------------------------------------------------------------------------------------------

-- An account. `id` is in every row that belongs to it, and in every key of those rows.
create table merchants (
  id uuid primary key,
  name text check (char_length(name) between 1 and 255),
  brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  logo_file text,
  -- Whose days reports and the dashboard show.
  time_zone text not null default 'UTC' check (char_length(time_zone) between 1 and 64),
  -- Where its money goes: straight to its own wallet.
  payout_address text check (char_length(payout_address) between 32 and 44),
  -- Where money goes changes after a delay, during which the owners know and can cancel.
  payout_change_delay_hours smallint not null default 0 check (payout_change_delay_hours between 0 and 168),
  -- Owners who have a passkey sign in and confirm with it, and not with their password.
  require_passkeys boolean not null default false,
  verification_status smallint not null default 0 check (verification_status between 0 and 3),
  -- Whether the network fees of a merchant's payers are paid. Null: as usual for the network.
  sponsor_fees text check (sponsor_fees in ('never', 'when_needed', 'always')),
  -- Whether an endpoint asks for payment_intent.created, which is written for nobody else.
  announces_intents boolean not null default false,
  webhook_url text check (char_length(webhook_url) between 1 and 2048),
  webhook_secret bytea not null,
  previous_webhook_secret bytea,
  previous_webhook_secret_until timestamptz,
  created_at timestamptz not null,
  -- A merchant that moves to another installation is closed here: first while its rows are copied, then for good, with the
  -- address it has moved to.
  closed_at timestamptz,
  moved_to text check (char_length(moved_to) between 1 and 2048),
  check ((previous_webhook_secret is null) = (previous_webhook_secret_until is null)),
  constraint merchants_moved_check check (moved_to is null or closed_at is not null)
);

-- Mostly empty. Whatever becomes due looks here first.
create index merchants_closed on merchants (id) where closed_at is not null;

-- Images of merchants and their projects, each kept once under the hash of its bytes. Small, and read whole.
create table logos (
  merchant_id uuid not null references merchants (id),
  -- The SHA-256 of the bytes and what kind of image they are, as in the public address.
  file_name text not null check (file_name ~ '^[0-9a-f]{64}\.(png|jpg|webp)$'),
  width integer not null check (width between 16 and 2048),
  height integer not null check (height between 16 and 2048),
  bytes bytea not null check (octet_length(bytes) <= 262144),
  created_at timestamptz not null,
  primary key (merchant_id, file_name),
  check (left(file_name, 64) = encode(sha256(bytes), 'hex'))
);

-- The public address names the file alone; two merchants may have the same image.
create index logos_by_file_name on logos (file_name);

alter table merchants add foreign key (id, logo_file) references logos (merchant_id, file_name) deferrable;

-- What programs authenticate with: kept as a hash, shown once.
create table api_keys (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text check (char_length(name) between 1 and 255),
  hash bytea not null check (octet_length(hash) = 32),
  prefix text not null,
  scopes text[] not null check (
    cardinality(scopes) > 0
    and scopes <@ array['billing:read', 'billing:write', 'payments:read', 'payments:write']
  ),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  -- Where a key may be used from: addresses and CIDR ranges; null for anywhere.
  allowed_addresses text[] check (cardinality(allowed_addresses) between 1 and 20),
  created_at timestamptz not null,
  -- When a call from elsewhere was last written to the audit log.
  address_refused_at timestamptz,
  primary key (merchant_id, id)
);

create unique index api_keys_by_hash on api_keys (hash);

-- Due work that failed: it is tried again at `retry_at`, and until then holds up nobody else's. A row goes when it succeeds.
create table set_aside_work (
  merchant_id uuid not null references merchants (id),
  work text not null check (char_length(work) between 1 and 100),
  item_id uuid not null,
  reason text not null check (char_length(reason) between 1 and 500),
  failures integer not null check (failures > 0),
  since timestamptz not null,
  retry_at timestamptz not null,
  primary key (merchant_id, work, item_id)
);

-- ----------------------------------------------------------------------------------------------------
-- The audit log (platform/audit)
-- ----------------------------------------------------------------------------------------------------

-- Where each merchant's chain ends: what shows that rows are missing from its end. Made by the trigger below, with a
-- row whose own foreign key asks for the merchant.
create table audit_heads (
  merchant_id uuid primary key,
  sequence bigint not null default 0,
  hash bytea not null default '\x'
);

create trigger audit_heads_stay before delete or truncate on audit_heads
  for each statement execute function refuse_change();

-- Who changed what. Rows are only ever added; the trigger refuses the rest.
create table audit_entries (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  actor text not null,
  action text not null,
  target_id uuid,
  detail jsonb not null default '{}',
  -- Each row carries a hash over the row before it and its own content, so that a later change shows. No default: the
  -- trigger below gives both.
  sequence bigint not null check (sequence > 0),
  hash bytea not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  -- A restore fills the heads first, so that they are not taken from the rows.
  constraint audit_entries_head_fkey foreign key (merchant_id) references audit_heads (merchant_id)
);

create unique index audit_entries_by_sequence on audit_entries (merchant_id, sequence);

create trigger audit_entries_only_grow before delete or update or truncate on audit_entries
  for each statement execute function refuse_change();

-- The head is locked until the transaction ends, so one merchant's rows come one after the other. It is written once for
-- each statement: within one, the last row is where the chain ends. A shortened chain goes on behind its gap.
create function chain_audit_entry() returns trigger language plpgsql as $$
declare
  head record;
  last record;
begin
  select sequence, hash into head from audit_heads where merchant_id = new.merchant_id for no key update;
  if not found then
    insert into audit_heads (merchant_id) values (new.merchant_id) on conflict do nothing;
    select sequence, hash into head from audit_heads where merchant_id = new.merchant_id for no key update;
  end if;
  select sequence, hash into last from audit_entries
   where merchant_id = new.merchant_id order by sequence desc limit 1;
  if last.sequence > head.sequence then
    head := last;
  end if;
  new.sequence := head.sequence + 1;
  new.hash := sha256(head.hash || convert_to(jsonb_build_array(
    new.merchant_id, new.id, new.actor, new.action, new.target_id, new.detail,
    to_char(new.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'))::text, 'UTF8'));
  return new;
end
$$;

-- Rows that a restore brings have their place already.
create trigger audit_entries_chain before insert on audit_entries
  for each row when (new.sequence is null)
  execute function chain_audit_entry();

create function move_audit_heads() returns trigger language plpgsql as $$
begin
  update audit_heads h set sequence = a.sequence, hash = a.hash
    from (select distinct on (merchant_id) merchant_id, sequence, hash from added
           order by merchant_id, sequence desc) a
   where h.merchant_id = a.merchant_id and a.sequence > h.sequence;
  return null;
end
$$;

create trigger audit_entries_head after insert on audit_entries referencing new table as added
  for each statement execute function move_audit_heads();

-- A request that was let in a moment before the merchant was closed must not write after its rows were copied. Every
-- change of consequence leaves an event or an audit entry.
-- The refusal to write of a merchant that has moved names its new address.
create function refuse_closed_merchant() returns trigger language plpgsql as $$
declare
  refused record;
begin
  select moved_to into refused from merchants
   where closed_at is not null and id in (select merchant_id from added) limit 1;
  if found and current_setting('florin.moving', true) is distinct from 'yes' then
    raise exception 'the merchant is closed: it is being moved to another installation, or was'
      using errcode = 'FLMOV', detail = coalesce(refused.moved_to, '');
  end if;
  return null;
end
$$;

create trigger audit_of_open_merchants after insert on audit_entries referencing new table as added
  for each statement execute function refuse_closed_merchant();

-- ----------------------------------------------------------------------------------------------------
-- Requests: the same key, the same answer, and what keys asked (platform/idempotency, platform/request-log)
-- ----------------------------------------------------------------------------------------------------

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
create index idempotency_keys_by_age on idempotency_keys using brin (created_at) with (pages_per_range = 32, autosummarize = on);

-- What integrators sent within the last days, and what was answered. Without a foreign key: it is written beside
-- requests, thousands of rows at a time, must never make one wait for a merchant's row, and is gone within days.
create table request_logs (
  merchant_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  method text not null check (char_length(method) <= 10),
  path text not null check (char_length(path) <= 500),
  status smallint not null check (status between 100 and 599),
  duration_ms integer not null check (duration_ms >= 0),
  error_code text check (char_length(error_code) <= 100),
  error_message text check (char_length(error_message) <= 500),
  caller_trace_id text check (caller_trace_id ~ '^[0-9a-f]{32}$'),
  idempotency_key text check (char_length(idempotency_key) <= 255),
  request_body text check (char_length(request_body) <= 4000),
  created_at timestamptz not null,
  primary key (merchant_id, id)
);

create index request_logs_failed on request_logs (merchant_id, id) where status >= 400;
create index request_logs_by_age on request_logs using brin (created_at) with (pages_per_range = 32, autosummarize = on);

-- ----------------------------------------------------------------------------------------------------
-- Members, how they sign in, and the views they keep (accounts/members, accounts/saved-views)
-- ----------------------------------------------------------------------------------------------------

-- People who sign in to the dashboard, how they prove who they are, and where they are signed in.
create table members (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  email text not null check (char_length(email) between 3 and 254),
  name text not null check (char_length(name) between 1 and 255),
  role text not null check (role in ('owner', 'developer', 'viewer')),
  -- Argon2id with its parameters and salt, as a PHC string; none for who signs in by passkey alone.
  password_hash text check (password_hash like '$argon2id$%'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_signed_in_at timestamptz,
  -- May not sign in for now.
  disabled_at timestamptz,
  -- Gone for good; the row stays for the audit log, which names it.
  removed_at timestamptz,
  primary key (merchant_id, id),
  check (removed_at is null or password_hash is null),
  -- A hash of another form, or that takes more work than ours, is nobody's password.
  constraint members_password_hash_form check (
    password_hash ~ '^\$argon2id\$v=19\$m=[0-9]{1,5},t=[12],p=1\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{43}$'
    and substring(password_hash, 'm=([0-9]{1,5}),')::integer <= 19456
  )
);

create index members_by_address on members (lower(email collate "C")) where removed_at is null;
-- An e-mail address belongs to nobody across merchants: each merchant has its own member for it, with its own password.
create unique index members_by_merchant_and_address on members (merchant_id, lower(email collate "C")) where removed_at is null;

-- Links that let somebody in once: to set up the first owner, to join by invitation, to get back in.
create table member_links (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  kind text not null check (kind in ('setup', 'invitation', 'reset')),
  token_hash bytea not null check (octet_length(token_hash) = 32),
  email text check (char_length(email) between 3 and 254),
  role text check (role in ('owner', 'developer', 'viewer')),
  member_id uuid,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, member_id) references members (merchant_id, id),
  check (expires_at > created_at),
  check ((kind = 'invitation') = (email is not null)),
  check ((kind = 'reset') = (role is null)),
  check (kind <> 'reset' or member_id is not null)
);

create unique index member_links_by_token on member_links (token_hash);
create index member_links_by_member on member_links (merchant_id, member_id) where member_id is not null;
create index member_links_old on member_links (expires_at);
create unique index member_links_by_open_address on member_links (merchant_id, lower(email collate "C"))
  where kind = 'invitation' and used_at is null;

create table dashboard_sessions (
  merchant_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  -- SHA-256 of the cookie. A new cookie replaces it at every confirmation.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  method text not null check (method in ('password', 'passkey', 'link')),
  address text not null,
  user_agent text check (char_length(user_agent) <= 255),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- When the member last proved who they are.
  confirmed_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, member_id) references members (merchant_id, id),
  check (expires_at > created_at)
);

create unique index dashboard_sessions_by_token on dashboard_sessions (token_hash);
create index dashboard_sessions_by_member on dashboard_sessions (merchant_id, member_id);
create index dashboard_sessions_old on dashboard_sessions (expires_at);

-- Browsers in which a member has signed in before. Others' failed sign-ins do not slow them down.
create table known_devices (
  merchant_id uuid not null,
  member_id uuid not null,
  -- SHA-256 of the device cookie, which is the same for every member who signs in with that browser.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  expires_at timestamptz not null,
  primary key (merchant_id, member_id, token_hash),
  foreign key (merchant_id, member_id) references members (merchant_id, id)
);

create index known_devices_by_token on known_devices (token_hash);
create index known_devices_old on known_devices (expires_at);

create table passkeys (
  merchant_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  name text not null check (char_length(name) between 1 and 255),
  credential_id bytea not null check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null,
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, member_id) references members (merchant_id, id)
);

create unique index passkeys_by_credential on passkeys (credential_id);
create index passkeys_by_member on passkeys (merchant_id, member_id);

-- What an authenticator is asked to sign; each is good for one answer.
create table passkey_challenges (
  hash bytea primary key check (octet_length(hash) = 32),
  purpose text not null check (purpose in ('register', 'sign_in', 'step_up')),
  merchant_id uuid,
  session_id uuid,
  expires_at timestamptz not null,
  foreign key (merchant_id, session_id) references dashboard_sessions (merchant_id, id) on delete cascade,
  check ((purpose = 'sign_in') = (session_id is null)),
  check ((merchant_id is null) = (session_id is null))
);

create index passkey_challenges_by_session on passkey_challenges (merchant_id, session_id);
create index passkey_challenges_old on passkey_challenges (expires_at);

-- Failed proofs in a row, by account and by network address, whether or not there is such an account.
create table sign_in_attempts (
  name text primary key,
  failures integer not null check (failures > 0),
  blocked_until timestamptz not null
);

create index sign_in_attempts_old on sign_in_attempts (blocked_until);

-- Filters of a dashboard list under a name: of one member, or shared with the team.
create table saved_views (
  merchant_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  list text not null check (list ~ '^[a-z-]{1,40}$'),
  name text not null check (char_length(name) between 1 and 60),
  query text not null check (char_length(query) between 1 and 1000),
  is_shared boolean not null,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, member_id) references members (merchant_id, id)
);

create unique index saved_views_by_name on saved_views (merchant_id, member_id, list, lower(name));
create index saved_views_shared on saved_views (merchant_id) where is_shared;

-- ----------------------------------------------------------------------------------------------------
-- Payout addresses (accounts/payouts)
-- ----------------------------------------------------------------------------------------------------

-- A payout address belongs to one merchant of the installation, its projects included: whoever else used it would
-- get the money on it that nothing else assigns.
create table payout_addresses (
  merchant_id uuid not null references merchants (id),
  address text not null,
  -- Used by this merchant, too, and owned by another: it works, and what nothing else assigns is the owner's.
  is_shared boolean not null default false,
  -- When the merchant last signed with this wallet.
  verified_at timestamptz,
  -- A payment arrives at any address, also a mistyped one: only its owner can say that it shows in their wallet.
  seen_in_wallet_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, address),
  check (verified_at is null or not is_shared)
);

create unique index payout_addresses_by_address on payout_addresses (address) where not is_shared;

alter table merchants add foreign key (id, payout_address) references payout_addresses (merchant_id, address) deferrable;

-- What a wallet is asked to sign. One for each merchant and address; a newer one replaces it.
create table payout_challenges (
  merchant_id uuid not null references merchants (id),
  address text not null,
  message text not null,
  expires_at timestamptz not null,
  primary key (merchant_id, address)
);

create index payout_challenges_old on payout_challenges (expires_at);

-- What has been asked for and has yet to take effect: a payout address, or the delay itself.
create table payout_changes (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  kind text not null check (kind in ('address', 'delay')),
  -- Null: the merchant's own address.
  project_id uuid,
  -- As it was when this was asked for.
  from_address text,
  -- Null: the project goes back to the merchant's own.
  address text,
  from_delay_hours smallint,
  delay_hours smallint check (delay_hours between 0 and 168),
  requested_by text not null,
  requested_at timestamptz not null,
  takes_effect_at timestamptz not null,
  primary key (merchant_id, id),
  -- A newer change replaces the one that waits.
  unique nulls not distinct (merchant_id, kind, project_id),
  -- The address is reserved meanwhile.
  foreign key (merchant_id, address) references payout_addresses (merchant_id, address),
  check (takes_effect_at >= requested_at),
  check (
    case kind
      when 'delay' then num_nonnulls(delay_hours, from_delay_hours) = 2 and num_nonnulls(project_id, from_address, address) = 0
      else num_nonnulls(delay_hours, from_delay_hours) = 0 and num_nonnulls(project_id, address) > 0
    end
  )
);

create index payout_changes_due on payout_changes (takes_effect_at);
create index payout_changes_by_address on payout_changes (merchant_id, address);

-- ----------------------------------------------------------------------------------------------------
-- Events, in the order they were written and in each merchant's own (platform/events)
-- ----------------------------------------------------------------------------------------------------

-- The outbox: a fact is written in the transaction that makes it true.
create table events (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  -- The order in which events were written. Whoever changes an object holds its row until the commit, so of one ordering
  -- key this is the order of the commits; transaction ids and times are not.
  ordinal bigint generated always as identity,
  event text not null,
  object_type text not null,
  object_id uuid not null,
  sequence integer not null check (sequence > 0),
  status text not null,
  previous_status text,
  ordering_key uuid not null,
  body text not null,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);

create unique index events_by_object on events (merchant_id, object_id, sequence);

create trigger events_only_grow before update on events
  for each row execute function refuse_change_but_erasure();

create trigger events_of_open_merchants after insert on events referencing new table as added
  for each statement execute function refuse_closed_merchant();

-- Events nobody has looked at for delivery yet. The row is written with its event and goes in the transaction
-- that makes the delivery, so a late commit is never skipped, however long another transaction runs.
create table undispatched_events (
  ordinal bigint primary key,
  merchant_id uuid not null,
  event_id uuid not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create index undispatched_events_by_merchant on undispatched_events (merchant_id, ordinal);

-- Whatever leaves the queue has its position, whichever program takes it.
create function number_dispatched() returns trigger language plpgsql as $$
begin
  perform number_events(array_agg(merchant_id), array_agg(event_id)) from dispatched having count(*) > 0;
  return null;
end
$$;

create trigger undispatched_events_are_numbered after delete on undispatched_events referencing old table as dispatched
  for each statement execute function number_dispatched();

-- Where each event comes among its merchant's: 1, 2, 3, … A position is given once the event's transaction has committed,
-- so no later commit can come before it, and a reader who follows positions misses nothing and waits for nobody.
create table event_counters (
  merchant_id uuid primary key references merchants (id),
  last_position bigint not null check (last_position >= 0),
  pruned_position bigint not null default 0,
  -- Where events are kept for a time only: how far a merchant's have been looked at, and the last position of those deleted, so
  -- that nobody who follows them misses one without a word.
  looked_through uuid not null default '00000000-0000-0000-0000-000000000000',
  -- What was needed when its turn came is looked at again once a week: since when the present round has gone on.
  looking_since timestamptz not null default now()
);

create table event_positions (
  merchant_id uuid not null,
  "position" bigint not null check ("position" > 0),
  event_id uuid not null,
  primary key (merchant_id, "position"),
  constraint event_positions_event_key unique (merchant_id, event_id),
  foreign key (merchant_id, event_id) references events (merchant_id, id) on delete cascade deferrable
);

-- Gives positions to those of these events that have none yet, in the order in which they were written.
create function number_events(merchants uuid[], ids uuid[]) returns void language plpgsql as $$
begin
  insert into event_counters (merchant_id, last_position)
  select distinct m, 0 from unnest(merchants) as m order by m on conflict do nothing;
  perform from event_counters where merchant_id = any(merchants) order by merchant_id for no key update;
  -- Only now: this statement sees what those who held the counters before have numbered.
  with unnumbered as (
    select e.merchant_id, e.id, row_number() over (partition by e.merchant_id order by e.ordinal) as place
      from unnest(merchants, ids) as wanted (merchant_id, id) join events e using (merchant_id, id)
     where not exists (select from event_positions p where p.merchant_id = e.merchant_id and p.event_id = e.id)
  ), numbered as (
    insert into event_positions (merchant_id, position, event_id)
    select u.merchant_id, c.last_position + u.place, u.id from unnumbered u join event_counters c using (merchant_id)
    returning merchant_id, position
  )
  update event_counters c set last_position = n.position
    from (select merchant_id, max(position) as position from numbered group by merchant_id) as n
   where c.merchant_id = n.merchant_id;
end
$$;

-- ----------------------------------------------------------------------------------------------------
-- Webhooks and notifications (webhooks)
-- ----------------------------------------------------------------------------------------------------

-- Where deliveries go, several for each merchant: webhooks, and what people read when something happened. Workers look here,
-- not at thousands of deliveries that cannot start. The row's lock also keeps two workers from deciding about one
-- ordering key at once.
create table webhook_endpoints (
  -- The first endpoint, whose URL and secret are the merchant's own, has the merchant's id; the others have their settings here.
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  -- `url` is what may be shown of where a notification goes; the whole of it is sealed in `secret`. An e-mail goes to a
  -- member, at the address they have then.
  kind text not null default 'webhook' check (kind in ('webhook', 'slack', 'discord', 'telegram', 'https', 'email')),
  name text check (char_length(name) between 1 and 255),
  url text check (char_length(url) between 1 and 2048),
  secret bytea,
  previous_secret bytea,
  previous_secret_until timestamptz,
  chat_id text check (char_length(chat_id) between 1 and 64),
  member_id uuid,
  event_types text[] check (cardinality(event_types) between 1 and 100),
  is_active boolean not null default true,
  created_at timestamptz,
  -- The earliest moment at which one of its deliveries may start; null when none waits.
  claim_at timestamptz,
  -- Events up to here need no delivery any more: no URL was set then, or the delivery has been pruned.
  settled_through bigint not null default 0,
  -- A summary of the day, at an hour of the merchant's choice, for notifications that ask for it: when the next one is due, and since
  -- when it counts.
  summary_hour smallint not null default 8 check (summary_hour between 0 and 23),
  summary_time_zone text not null default 'UTC' check (char_length(summary_time_zone) between 1 and 64),
  summary_at timestamptz,
  summary_since timestamptz,
  constraint webhook_endpoints_member_fkey foreign key (merchant_id, member_id) references members (merchant_id, id),
  constraint webhook_endpoints_first check ((id = merchant_id) = (url is null)),
  constraint webhook_endpoints_notification check (
    kind = 'webhook'
    or id <> merchant_id
    and event_types is not null
    and previous_secret is null
  ),
  constraint webhook_endpoints_others check (
    (id = merchant_id or kind = 'email') = (secret is null)
    and (id = merchant_id or created_at is not null)
  ),
  constraint webhook_endpoints_overlap check ((previous_secret is null) = (previous_secret_until is null)),
  constraint webhook_endpoints_recipient check ((kind = 'telegram') = (chat_id is not null) and (kind = 'email') = (member_id is not null)),
  constraint webhook_endpoints_summary check ((summary_at is null) = (summary_since is null) and (summary_at is null or kind <> 'webhook'))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create index webhook_endpoints_due on webhook_endpoints (claim_at) where claim_at is not null;
create index webhook_endpoints_by_merchant on webhook_endpoints (merchant_id, id);
create index webhook_endpoints_by_summary on webhook_endpoints (summary_at) where summary_at is not null;

-- Without foreign keys: each would cost a tenth of the work of a delivery, the merchant is held by its endpoint,
-- and old events may be removed before their deliveries.
create table webhook_deliveries (
  merchant_id uuid not null,
  id uuid not null,
  endpoint_id uuid,
  event_id uuid not null,
  event text not null,
  ordinal bigint not null,
  ordering_key uuid not null,
  resend_of uuid,
  url text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'retrying', 'failed')),
  attempt_count smallint not null default 0 check (attempt_count between 0 and 12),
  attempts jsonb not null default '[]',
  http_status smallint,
  error text,
  duration_ms integer,
  response_body text,
  next_attempt_at timestamptz,
  -- After a first failure, later events of the same ordering key wait until then.
  holds_order_until timestamptz,
  -- Who is sending it now. A result is taken only from the holder of this very lease.
  lease_id uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  delivered_at timestamptz,
  primary key (merchant_id, id),
  check ((status in ('pending', 'retrying')) = (next_attempt_at is not null)),
  check ((status = 'pending') = (attempt_count = 0)),
  check ((status = 'succeeded') = (delivered_at is not null)),
  check (status <> 'failed' or error is not null),
  check ((lease_id is null) = (lease_until is null)),
  check (lease_id is null or next_attempt_at is not null),
  constraint webhook_deliveries_endpoint check (endpoint_id is not null or next_attempt_at is null)
) with (fillfactor = 70);

create index webhook_deliveries_in_trouble on webhook_deliveries (merchant_id, id) where status in ('retrying', 'failed');
create index webhook_deliveries_by_age on webhook_deliveries using brin (created_at) with (pages_per_range = 32, autosummarize = on);
-- An event has one delivery of its own; the others are resends.
create unique index webhook_deliveries_by_event on webhook_deliveries (merchant_id, event_id, coalesce(endpoint_id, merchant_id))
  where resend_of is null;
create index webhook_deliveries_by_ordering_key on webhook_deliveries (endpoint_id, ordering_key, ordinal)
  where next_attempt_at is not null and resend_of is null;
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at, ordinal) where next_attempt_at is not null;
create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, id) where endpoint_id <> merchant_id;
-- A resend has the event of what it repeats.
create index webhook_deliveries_resent on webhook_deliveries (merchant_id, event_id) where resend_of is not null;

-- ----------------------------------------------------------------------------------------------------
-- Projects and tax rates (accounts/projects, billing/tax-rates)
-- ----------------------------------------------------------------------------------------------------

-- What separates a merchant's billing: customers, catalog, settings, monthly limits and invoice numbers are a project's own.
create table projects (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text not null check (char_length(name) between 1 and 255),
  -- How a project shows itself to its customers; null is the merchant's own.
  brand_name text,
  brand_color text check (brand_color ~ '^#[0-9a-f]{6}$'),
  -- Null is the merchant's own.
  logo_file text,
  -- Null: the merchant's own.
  payout_address text,
  -- Who issues invoices, and who they are for.
  seller jsonb,
  monthly_volume_limit_cents bigint check (monthly_volume_limit_cents >= 0),
  monthly_request_limit bigint check (monthly_request_limit >= 0),
  -- Only what differs from the defaults.
  settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  last_invoice_number bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, logo_file) references logos (merchant_id, file_name),
  foreign key (merchant_id, payout_address) references payout_addresses (merchant_id, address)
);

-- Pages of a project are found by its id alone.
create index projects_by_id on projects (id);

alter table payout_changes add foreign key (merchant_id, project_id) references projects (merchant_id, id);

-- What a project has used of its monthly limits; kept only where a limit is set.
create table project_months (
  merchant_id uuid not null,
  project_id uuid not null,
  month date not null check (extract(day from month) = 1),
  volume_cents numeric(38, 0) not null default 0 check (volume_cents >= 0),
  request_count bigint not null default 0 check (request_count >= 0),
  primary key (merchant_id, project_id, month),
  foreign key (merchant_id, project_id) references projects (merchant_id, id)
);

-- What is charged on top of a price, or is contained in it.
create table tax_rates (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null check (char_length(name) between 1 and 255),
  percent_ppm integer not null check (percent_ppm between 0 and 1000000),
  country text not null check (country ~ '^[A-Z]{2}$'),
  category text not null check (category in ('S', 'Z', 'E', 'AE', 'K', 'G', 'O')),
  is_default boolean not null default false,
  is_active boolean not null default true,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, project_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  constraint tax_rates_default_check check (is_active or not is_default),
  constraint tax_rates_percent_check check ((category = 'S') = (percent_ppm > 0))
);

-- A country has one default.
create unique index tax_rates_default on tax_rates (merchant_id, project_id, country) where is_default;

-- ----------------------------------------------------------------------------------------------------
-- Customers (accounts/customers, agents/credit-tokens, operations/erasure)
-- ----------------------------------------------------------------------------------------------------

-- People who buy. A row is found or created once for each external id.
create table customers (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  external_customer_id text collate "C" check (char_length(external_customer_id) between 1 and 255),
  email text check (char_length(email) between 1 and 254),
  -- How the address is known: the merchant set it, a link that was mailed to it was opened, or somebody typed it, which
  -- proves nothing.
  email_source text check (email_source in ('merchant', 'mailbox', 'typed')),
  name text check (char_length(name) between 1 and 255),
  language text check (char_length(language) between 2 and 35),
  address jsonb,
  country text check (country ~ '^[A-Z]{2}$'),
  is_business boolean not null default false,
  tax_ids jsonb not null default '[]',
  -- A merchant's own keys and values, found by an exact key and value. Several tables have them.
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072),
  -- Somebody who was written down twice: a customer who was merged into another has that one's details and balance, and
  -- keeps their own ids and what was sold to them. It is never more than one step.
  merged_into_id uuid,
  created_at timestamptz not null,
  -- An erased customer: the row stays for what refers to it, and says nothing of a person any more.
  erased_at timestamptz,
  primary key (merchant_id, id),
  -- Whoever points to a customer names the project too, so a row cannot point across projects.
  unique (merchant_id, project_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  constraint customers_merged_into_fkey foreign key (merchant_id, project_id, merged_into_id) references customers (merchant_id, project_id, id) deferrable,
  constraint customers_email_sourced_check check ((email is null) = (email_source is null)),
  constraint customers_erased_check check (
    erased_at is null
    or num_nonnulls(external_customer_id, email, name, language, address, country) = 0
    and not is_business
    and metadata = '{}'
    and tax_ids = '[]'
  ),
  constraint customers_merged_check check (merged_into_id <> id)
);

create unique index customers_by_external_id on customers (merchant_id, project_id, external_customer_id);
create index customers_by_any_external_id on customers (merchant_id, external_customer_id, id) where external_customer_id is not null;
create index customers_by_name on customers (merchant_id, lower(name) collate "C", id) where name is not null;
-- People are asked for by their last name as well.
create index customers_by_last_name on customers (merchant_id, lower(substring(name, '\S+$')) collate "C", id) where name is not null;
-- The merchant is part of every entry: a value that all merchants use is read for one alone. Only rows with metadata are in
-- the index, so that the others cost nothing.
create index customers_by_metadata on customers using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops)
  where metadata <> '{}';
create index customers_by_merged_into on customers (merchant_id, merged_into_id, id) where merged_into_id is not null;
-- Two addresses are one where they differ in the case of A to Z only, in every database: what else lower() folds depends on
-- its locale, and some fold letters of other people's domains.
create index customers_by_address on customers (merchant_id, lower(email collate "C"), id) where email is not null;

-- Tokens that spend a customer's credits are signed, not stored. Revoking one raises the number that is signed.
create table credit_token_revocations (
  merchant_id uuid not null,
  customer_id uuid not null,
  generation integer not null check (generation >= 1),
  revoked_at timestamptz not null,
  primary key (merchant_id, customer_id),
  foreign key (merchant_id, customer_id) references customers (merchant_id, id)
);

-- What was recorded of an erased customer is overwritten in batches. Where it is: the stage, the last row done in it,
-- the last event done of the rows after it.
create table customer_erasures (
  merchant_id uuid not null,
  customer_id uuid not null,
  project_id uuid not null,
  discarded_credits numeric(38, 0) not null check (discarded_credits >= 0),
  discarded_cents numeric(38, 0) not null check (discarded_cents >= 0),
  stage text not null check (
    stage in ('checkout_sessions', 'subscriptions', 'invoices', 'refunds', 'postings', 'usage_records', 'customer',
      'idempotency_keys', 'finished')
  ),
  after_id uuid,
  after_event_object_id uuid,
  after_event_sequence integer,
  after_operation text,
  after_key text,
  done bigint not null default 0 check (done >= 0),
  -- Counted when it starts.
  total bigint,
  created_at timestamptz not null,
  -- In real time, whatever the sandbox's clock says.
  advanced_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, customer_id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  check (total >= done),
  check ((stage = 'finished') = (finished_at is not null)),
  check (finished_at is null or num_nonnulls(after_id, after_event_object_id, after_operation, after_key) = 0),
  check ((after_event_object_id is null) = (after_event_sequence is null)),
  check ((after_operation is null) = (after_key is null))
);

create index customer_erasures_due on customer_erasures (advanced_at) where finished_at is null;

-- ----------------------------------------------------------------------------------------------------
-- The catalog and discounts (billing/catalog, billing/discounts)
-- ----------------------------------------------------------------------------------------------------

-- The catalog: what is sold, and at which prices.
create table products (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null check (char_length(name) between 1 and 255),
  description text check (char_length(description) between 1 and 2000),
  -- Kept as logos are: by its hash, and deleted when nothing of the merchant's uses it.
  image_file text,
  is_active boolean not null default true,
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072),
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, project_id, id),
  foreign key (merchant_id, image_file) references logos (merchant_id, file_name),
  foreign key (merchant_id, project_id) references projects (merchant_id, id)
);

create index products_by_name on products (merchant_id, lower(name) collate "C", id);
create index products_by_metadata on products using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops)
  where metadata <> '{}';
create index products_by_image on products (merchant_id, image_file) where image_file is not null;

create table prices (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  product_id uuid not null,
  name text check (char_length(name) between 1 and 255),
  -- The merchant's own name of a price, to be found by without keeping its id.
  lookup_key text check (char_length(lookup_key) between 1 and 200),
  unit_amount_cents bigint not null check (unit_amount_cents > 0),
  currency text not null default 'USD' check (currency = 'USD'),
  tax_behavior text not null default 'none' check (tax_behavior in ('none', 'inclusive', 'exclusive')),
  tax_rate_id uuid,
  billing_mode text not null check (billing_mode in ('one_time', 'balance_top_up', 'subscription')),
  credit_amount bigint check (credit_amount > 0),
  recurring_interval text check (recurring_interval in ('day', 'week', 'month', 'year')),
  recurring_interval_count integer check (recurring_interval_count > 0),
  -- How long a subscription at this price is free at first.
  trial_days integer,
  is_active boolean not null default true,
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072),
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, product_id) references products (merchant_id, project_id, id),
  constraint prices_tax_rate_fkey foreign key (merchant_id, project_id, tax_rate_id) references tax_rates (merchant_id, project_id, id),
  check ((billing_mode = 'balance_top_up') = (credit_amount is not null)),
  check ((billing_mode = 'subscription') = (recurring_interval is not null)),
  check ((billing_mode = 'subscription') = (recurring_interval_count is not null)),
  constraint prices_tax_rate_check check (tax_rate_id is null or tax_behavior <> 'none'),
  constraint prices_trial_days_check check (trial_days is null or trial_days between 1 and 730 and billing_mode = 'subscription')
);

create index prices_by_product on prices (merchant_id, product_id, id);
create index prices_by_metadata on prices using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops)
  where metadata <> '{}';
create unique index prices_by_lookup_key on prices (merchant_id, project_id, lookup_key) where lookup_key is not null;

-- Less to pay: by a promotion code, or given by the merchant.
create table discounts (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null check (char_length(name) between 1 and 255),
  percent_off_bps integer check (percent_off_bps between 1 and 10000),
  amount_off_cents bigint check (amount_off_cents > 0),
  duration text not null check (duration in ('once', 'periods', 'forever')),
  duration_periods integer check (duration_periods > 0),
  product_ids uuid[],
  starts_at timestamptz,
  ends_at timestamptz,
  max_redemptions integer check (max_redemptions > 0),
  max_per_customer integer check (max_per_customer > 0),
  redemptions_count integer not null default 0 check (redemptions_count >= 0),
  is_active boolean not null default true,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, project_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  constraint discounts_kind_check check ((percent_off_bps is null) <> (amount_off_cents is null)),
  constraint discounts_periods_check check ((duration = 'periods') = (duration_periods is not null)),
  -- Whatever the code does: nobody gets one too many.
  constraint discounts_redemptions_check check (redemptions_count <= max_redemptions),
  constraint discounts_times_check check (ends_at > starts_at)
);

create table promotion_codes (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  discount_id uuid not null,
  code text not null check (code ~ '^[A-Za-z0-9_-]{1,50}$'),
  is_active boolean not null default true,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id, discount_id) references discounts (merchant_id, project_id, id)
);

create unique index promotion_codes_by_code on promotion_codes (merchant_id, project_id, upper(code) collate "C");
create index promotion_codes_by_discount on promotion_codes (merchant_id, discount_id, id);

-- ----------------------------------------------------------------------------------------------------
-- Terminals, tills and payment intents (accounts/terminals, counter/tills, intents)
-- ----------------------------------------------------------------------------------------------------

-- A place that shows one payment at a time.
create table terminals (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  name text check (char_length(name) between 1 and 128),
  is_active boolean not null default true,
  -- Whoever changes it holds the terminal's row, so there is never a doubt which one it is.
  current_intent_id uuid,
  created_at timestamptz not null,
  primary key (merchant_id, id)
);

create unique index terminals_by_id on terminals (id);

-- A till: a phone or tablet at the counter that sells at one terminal, from the catalog of one project. It starts as a
-- code, which is exchanged once for the till's own key.
create table tills (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  terminal_id uuid not null,
  project_id uuid not null,
  name text check (char_length(name) between 1 and 128),
  tip_percents integer[] not null default '{}' check (cardinality(tip_percents) <= 4),
  code_hash bytea check (octet_length(code_hash) = 32),
  code_expires_at timestamptz,
  key_hash bytea check (octet_length(key_hash) = 32),
  sale_count integer not null default 0 check (sale_count >= 0),
  created_at timestamptz not null,
  paired_at timestamptz,
  last_seen_at timestamptz,
  unpaired_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  foreign key (merchant_id, terminal_id) references terminals (merchant_id, id),
  check ((code_hash is null) = (code_expires_at is null)),
  check ((key_hash is null) = (paired_at is null)),
  check (code_hash is null or paired_at is null and unpaired_at is null)
);

create unique index tills_by_code on tills (code_hash) where code_hash is not null;
create unique index tills_by_key on tills (key_hash) where key_hash is not null;
-- A terminal shows one payment at a time: two tills there would cancel each other's sales.
create unique index tills_one_per_terminal on tills (merchant_id, terminal_id) where unpaired_at is null;
create index tills_by_project on tills (merchant_id, project_id);

-- A request for money. Ids are UUID v7 made from created_at, so the primary key also gives "newest first".
create table payment_intents (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  -- What a person types into the search is how an order begins. Compared byte by byte, all that begins alike is one range of
  -- an index.
  order_id text collate "C" check (char_length(order_id) between 1 and 128),
  terminal_id uuid,
  -- An intent made by a checkout session: its events are in the session's order, and only the session cancels it.
  session_ordering_key uuid,
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072),
  expected_amount_cents bigint not null,
  received_base_units numeric(38, 0) not null default 0 check (received_base_units >= 0),
  -- What a merchant waives of an underpaid payment, which then counts as paid.
  waived_base_units numeric(38, 0) not null default 0,
  reference_address text not null,
  destination_address text not null,
  status text not null default 'pending' check (
    status in ('pending', 'processing', 'underpaid', 'succeeded', 'failed', 'expired', 'canceled')
  ),
  -- What an intent falls back to when a confirmed payment vanishes.
  status_without_payment text not null default 'pending' check (status_without_payment in ('pending', 'failed', 'expired')),
  -- A part payment of this is being sent back, or was: what else arrives buys nothing, and needs a person.
  is_refunding boolean not null default false,
  -- The order of this was canceled when money had come or was on its way: nothing more is due, and what else arrives is an
  -- exception.
  is_withdrawn boolean not null default false,
  tx_signature text,
  -- How a payment came, and from which wallet, once it is final.
  paid_via text check (paid_via in ('wallet', 'transfer', 'x402', 'mpp')),
  payer_address text,
  sequence integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  succeeded_at timestamptz,
  -- When its page asks for a closer look.
  reference_check_at timestamptz,
  -- When an intent's reference was last looked up, so that asking again and again costs no more than asking once.
  reference_checked_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, terminal_id) references terminals (merchant_id, id),
  check (expires_at > created_at),
  check ((status = 'succeeded') = (succeeded_at is not null)),
  constraint payment_intents_expected_amount_cents_check check (
    expected_amount_cents > 0
    or expected_amount_cents = 0
    and session_ordering_key is not null
  ),
  -- Less than one cent (10,000 base units) counts as nothing received: it neither blocks a cancel nor an expiry.
  constraint payment_intents_unseen_check check (status not in ('pending', 'expired', 'canceled') or received_base_units < 10000),
  constraint payment_intents_waived_check check (
    waived_base_units = 0
    or waived_base_units > 0
    and status = 'succeeded'
    and received_base_units > 0
    and (received_base_units + waived_base_units) >= (expected_amount_cents::numeric * 10000)
    and waived_base_units < (expected_amount_cents::numeric * 10000)
  )
);

create unique index payment_intents_by_reference on payment_intents (reference_address);
create index payment_intents_by_terminal on payment_intents (merchant_id, terminal_id, id) where terminal_id is not null;
create index payment_intents_reference_checks on payment_intents (reference_check_at) where reference_check_at is not null;
-- Expiry goes by destination: only what has been read past its moment may expire.
create index payment_intents_due on payment_intents (destination_address, expires_at) where status in ('pending', 'failed');
create index payment_intents_by_order on payment_intents (merchant_id, order_id, id);
create index payment_intents_by_amount on payment_intents (merchant_id, expected_amount_cents, id);
-- Payers know an id and have no key. Of the bytes of the id this index tells as fast, and no list can be tempted to walk it
-- through everybody's payments.
create unique index payment_intents_by_id on payment_intents (uuid_send(id));
-- Few are underpaid among very many that are not.
create index payment_intents_by_status on payment_intents (merchant_id, status, id);
create index payment_intents_by_paid_via on payment_intents (merchant_id, paid_via, id) where paid_via is not null;
create index payment_intents_by_metadata on payment_intents using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops)
  where metadata <> '{}';
-- The stats add up what a month of payments brought: with the amounts in the index, none is read from the table.
create index payment_intents_received on payment_intents (merchant_id, succeeded_at) include (received_base_units)
  where status = 'succeeded';

alter table terminals add foreign key (merchant_id, current_intent_id) references payment_intents (merchant_id, id) deferrable;

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

-- ----------------------------------------------------------------------------------------------------
-- Checkouts (billing/payment-links, payments/offers, agents/x402, billing/checkout-sessions)
-- ----------------------------------------------------------------------------------------------------

-- A public way to start a checkout at a fixed price, or at an amount that the buyer chooses.
create table payment_links (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  price_id uuid not null,
  name text check (char_length(name) between 1 and 255),
  status text not null default 'active' check (status in ('active', 'inactive')),
  public_token text not null,
  -- The limits of an amount that the buyer chooses.
  min_cents bigint,
  max_cents bigint,
  suggested_cents bigint[] not null default '{}'::bigint[],
  -- What percentages the page offers as a tip.
  tip_percents integer[] not null default '{}' check (cardinality(tip_percents) <= 4),
  allow_promotion_codes boolean not null default false,
  require_client_reference_id boolean not null,
  collect_customer_email boolean not null,
  success_url text check (char_length(success_url) <= 2048),
  cancel_url text check (char_length(cancel_url) <= 2048),
  expires_at timestamptz,
  max_payments integer check (max_payments > 0),
  payments_count integer not null default 0 check (payments_count >= 0),
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072),
  created_at timestamptz not null,
  -- When it closed by itself: its time was over, or it had sold all there was.
  ended_at timestamptz,
  -- A deleted link is gone for everybody; its sessions still know where they came from.
  deleted_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, price_id) references prices (merchant_id, project_id, id),
  check (deleted_at is null or status = 'inactive'),
  check (ended_at is null or status = 'inactive'),
  constraint payment_links_open_amount_check check (
    case
      when min_cents is null then max_cents is null and suggested_cents = '{}'
      else min_cents > 0 and (max_cents is null or max_cents >= min_cents)
           and min_cents <= all (suggested_cents) and (max_cents is null or max_cents >= all (suggested_cents))
    end
  )
);

create unique index payment_links_by_token on payment_links (public_token);
create index payment_links_ended on payment_links (ended_at) where ended_at is not null;
create index payment_links_due on payment_links (expires_at) where status = 'active' and expires_at is not null;
create index payment_links_by_name on payment_links (merchant_id, lower(name) collate "C", id) where name is not null and deleted_at is null;
create index payment_links_by_metadata on payment_links using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops)
  where metadata <> '{}';

-- What programs buy by HTTP: a resource behind a 402.
create table paywalls (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  price_id uuid not null,
  token text not null,
  resource_url text check (char_length(resource_url) <= 2048),
  description text not null check (char_length(description) between 1 and 500),
  mime_type text not null check (char_length(mime_type) between 1 and 255),
  settle_at text check (settle_at in ('confirmed', 'finalized')),
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  foreign key (merchant_id, project_id, price_id) references prices (merchant_id, project_id, id)
);

create unique index paywalls_by_token on paywalls (token);
create index paywalls_by_project on paywalls (merchant_id, project_id, id);

-- What a program's order was accepted under, so that asking again under the same key finds the same order.
create table order_keys (
  merchant_id uuid not null references merchants (id),
  route text not null check (char_length(route) between 1 and 200),
  key text not null check (char_length(key) between 1 and 300),
  intent_id uuid not null,
  created_at timestamptz not null,
  primary key (merchant_id, route, key)
);

create index order_keys_by_age on order_keys (created_at);

-- One session asks for one payment: it has one intent and one invoice, all with one deadline.
create table checkout_sessions (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  mode text not null check (mode in ('one_time', 'balance_top_up', 'subscription')),
  -- Who asked for it: a key, a stranger with a link, or the calendar.
  origin text not null check (origin in ('key', 'link', 'renewal')),
  status text not null default 'open' check (status in ('open', 'complete', 'expired', 'canceled')),
  payment_status text not null default 'unpaid' check (payment_status in ('unpaid', 'processing', 'underpaid', 'paid')),
  price_id uuid,
  -- What costs nothing is complete without a payment.
  amount_cents bigint not null check (amount_cents >= 0),
  tip_percents integer[] not null default '{}',
  tip_cents bigint not null default 0,
  currency text not null default 'USD' check (currency = 'USD'),
  -- What a top-up is worth, as the price said when it was bought.
  credit_amount bigint check (credit_amount > 0),
  -- How long a subscription from this checkout is free at first.
  trial_days integer check (trial_days between 1 and 730),
  -- Whether customers can enter a promotion code on the checkout page.
  allow_promotion_codes boolean not null default false,
  customer_id uuid,
  -- Who buys. Until money comes, a stranger with a link is only what they typed.
  external_customer_id text,
  customer_email text,
  customer_name text,
  merchant_reference text check (char_length(merchant_reference) between 1 and 255),
  client_reference_id text check (char_length(client_reference_id) between 1 and 200),
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072),
  payment_link_id uuid,
  payment_intent_id uuid not null,
  subscription_id uuid,
  token text not null,
  checkout_url text not null,
  success_url text check (char_length(success_url) <= 2048),
  cancel_url text check (char_length(cancel_url) <= 2048),
  -- The month whose volume it counts toward; null while it counts toward none.
  volume_month date,
  -- What a session counts toward its month's volume where that is not its whole amount: a part payment of one that
  -- reserved nothing.
  volume_cents bigint,
  sequence integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz,
  -- When the part of the money that was left over has been dealt with.
  unapplied_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, project_id, id),
  foreign key (merchant_id, payment_intent_id) references payment_intents (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  foreign key (merchant_id, project_id, payment_link_id) references payment_links (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, price_id) references prices (merchant_id, project_id, id),
  check (expires_at > created_at),
  check ((status = 'complete') = (payment_status = 'paid')),
  check ((status = 'complete') = (completed_at is not null)),
  check ((mode = 'balance_top_up') = (credit_amount is not null)),
  -- An anonymous buyer may come without a payment link: through a paywall, or through a shop that settles by x402.
  constraint checkout_sessions_buyer_check check (
    mode = 'one_time'
    or customer_id is not null
    and (mode <> 'subscription' or subscription_id is not null)
    or origin = 'link'
    and payment_status in ('unpaid', 'processing')
  ),
  constraint checkout_sessions_link_check check (payment_link_id is null or origin = 'link'),
  constraint checkout_sessions_subscription_check check (mode = 'subscription' or subscription_id is null),
  constraint checkout_sessions_tip_check check (
    cardinality(tip_percents) <= 4
    and tip_cents >= 0
    and (tip_cents = 0 or tip_percents <> '{}')
  ),
  constraint checkout_sessions_volume_cents_check check (volume_cents is null or volume_cents > 0 and volume_month is not null)
);

create unique index checkout_sessions_by_intent on checkout_sessions (merchant_id, payment_intent_id);
create unique index checkout_sessions_by_token on checkout_sessions (token);
create index checkout_sessions_by_status on checkout_sessions (merchant_id, status, id);
create index checkout_sessions_by_project_status on checkout_sessions (merchant_id, project_id, status, id);
create index checkout_sessions_under_way on checkout_sessions (merchant_id, id) where payment_status in ('processing', 'underpaid');
create index checkout_sessions_by_customer on checkout_sessions (merchant_id, customer_id, id) where customer_id is not null;
create index checkout_sessions_by_external_customer on checkout_sessions (merchant_id, external_customer_id, id)
  where external_customer_id is not null;
create index checkout_sessions_by_merchant_reference on checkout_sessions (merchant_id, merchant_reference, id)
  where merchant_reference is not null;
create index checkout_sessions_by_client_reference on checkout_sessions (merchant_id, client_reference_id, id)
  where client_reference_id is not null;
create index checkout_sessions_of_links on checkout_sessions (merchant_id, payment_link_id, id) where status = 'open';
create index checkout_sessions_due on checkout_sessions (expires_at) where status = 'open';
create index checkout_sessions_left_over on checkout_sessions (expires_at)
  where status = 'expired' and payment_status = 'underpaid' and unapplied_at is null;
create index checkout_sessions_volume on checkout_sessions (merchant_id, project_id, volume_month) where volume_month is not null;
create index checkout_sessions_by_subscription on checkout_sessions (merchant_id, subscription_id, id) where subscription_id is not null;
-- Sessions that were closed although money had come, or was on its way.
create index checkout_sessions_dead on checkout_sessions (expires_at)
  where status = 'canceled' and payment_status <> 'unpaid' and unapplied_at is null;
-- Those that may be pruned, by when they ended.
create index checkout_sessions_abandoned on checkout_sessions (expires_at, id)
  where origin = 'link' and payment_status = 'unpaid' and status in ('expired', 'canceled');
create index checkout_sessions_by_metadata on checkout_sessions using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops)
  where metadata <> '{}';
-- Money that pays for the goods and not for the tip is matched with its order.
create index checkout_sessions_by_goods on checkout_sessions (merchant_id, (amount_cents - tip_cents), payment_intent_id)
  where tip_cents > 0;
-- The payments of a project, newest first, however old they are and however many other projects have had since.
create index checkout_sessions_by_project_intent on checkout_sessions (merchant_id, project_id, payment_intent_id);
create index checkout_sessions_by_address on checkout_sessions (merchant_id, lower(customer_email collate "C"), id)
  where customer_email is not null;

-- ----------------------------------------------------------------------------------------------------
-- Subscriptions (billing/subscriptions, billing/renewals)
-- ----------------------------------------------------------------------------------------------------

-- Periods from a stored anchor, renewals the customer confirms, plan changes that wait for money.
create table subscriptions (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  customer_id uuid not null,
  price_id uuid not null,
  -- How many of the plan it has (seats): now, in the period that is paid ahead, and in the one that follows. An empty one of
  -- the latter two means: as many as now.
  quantity integer not null default 1 check (quantity between 1 and 10000),
  status text not null default 'incomplete' check (
    status in ('incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled')
  ),
  -- What the session that began it was called by.
  merchant_reference text,
  client_reference_id text,
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072),
  -- Where the customer is sent after renewals and changes: at first where the first session sent them.
  success_url text,
  cancel_url text,
  trial_days integer,
  trial_ends_at timestamptz,
  -- Periods are counted from here: the n-th begins n intervals later. A new anchor begins a new count.
  anchor_at timestamptz,
  period_index integer,
  current_period_start timestamptz,
  current_period_end timestamptz,
  -- How far the customer has paid: the end of the current period, or of the next one when that is prepaid.
  paid_through timestamptz,
  cancel_at_period_end boolean not null default false,
  canceled_at timestamptz,
  cancel_reason text check (cancel_reason in ('requested', 'payment_overdue')),
  grace_ends_at timestamptz,
  -- The unpaid invoice of the next period.
  renewal_invoice_id uuid,
  latest_invoice_id uuid,
  -- The price of the period that is paid ahead.
  prepaid_price_id uuid,
  prepaid_quantity integer,
  -- A plan that takes its turn at the end of the current (or prepaid) period.
  next_price_id uuid,
  next_quantity integer,
  -- A change that waits for money: what it will do, as it was previewed.
  pending_change jsonb check (jsonb_typeof(pending_change) = 'object'),
  -- The discount of the next periods, for how many of them (none: all), and of the periods that are paid.
  discount_id uuid,
  discount_periods_left integer,
  period_discount_id uuid,
  prepaid_discount_id uuid,
  -- When there is something to do next; null: nothing ever.
  next_step_at timestamptz,
  reminders_sent integer not null default 0,
  sequence integer not null default 0,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  foreign key (merchant_id, project_id, next_price_id) references prices (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, prepaid_price_id) references prices (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, price_id) references prices (merchant_id, project_id, id),
  check (status not in ('active', 'past_due') or anchor_at is not null),
  check (status not in ('incomplete', 'incomplete_expired') or anchor_at is null),
  check ((anchor_at is null) = (period_index is null)),
  check ((anchor_at is null) = (current_period_start is null)),
  check ((anchor_at is null) = (current_period_end is null)),
  check ((anchor_at is null) = (paid_through is null)),
  check (current_period_end > current_period_start),
  check (prepaid_price_id is null or paid_through > current_period_end),
  check ((status = 'canceled') = (canceled_at is not null)),
  check ((status = 'canceled') = (cancel_reason is not null)),
  check (status not in ('incomplete_expired', 'canceled') or next_step_at is null and pending_change is null),
  check (status <> 'past_due' or renewal_invoice_id is not null),
  constraint subscriptions_discount_check check (discount_periods_left is null or discount_periods_left > 0 and discount_id is not null),
  constraint subscriptions_next_quantity_check check (
    next_quantity is null
    or next_quantity between 1 and 10000
    and next_price_id is not null
  ),
  -- A trial is the period before the first.
  constraint subscriptions_period_index_check check (period_index >= 0 or period_index = -1 and trial_ends_at is not null),
  constraint subscriptions_prepaid_quantity_check check (
    prepaid_quantity is null
    or prepaid_quantity between 1 and 10000
    and prepaid_price_id is not null
  ),
  -- One that ended because its renewal was not paid still says where that can be paid.
  constraint subscriptions_renewal_is_its_own check (
    renewal_invoice_id is null
    or status in ('trialing', 'active', 'past_due')
    or status = 'canceled'
    and cancel_reason is not distinct from 'payment_overdue'
  ),
  constraint subscriptions_trial_check check (
    (trial_days is null or trial_days between 1 and 730)
    and (trial_ends_at is null or trial_days is not null)
    and (status <> 'trialing' or trial_ends_at is not null and period_index is not distinct from -1)
  )
);

create index subscriptions_due on subscriptions (next_step_at) include (merchant_id, id, project_id) where next_step_at is not null;
create index subscriptions_by_project on subscriptions (merchant_id, project_id, id);
create index subscriptions_by_customer on subscriptions (merchant_id, customer_id, id);
create index subscriptions_live on subscriptions (merchant_id, price_id) where status in ('active', 'past_due');
create index subscriptions_canceled on subscriptions (merchant_id, canceled_at) where status = 'canceled';
create index subscriptions_by_latest_invoice on subscriptions (merchant_id, latest_invoice_id) where latest_invoice_id is not null;
create index subscriptions_by_renewal_invoice on subscriptions (merchant_id, renewal_invoice_id) where renewal_invoice_id is not null;
create index subscriptions_by_metadata on subscriptions using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops)
  where metadata <> '{}';
-- New subscribers by when they began to pay, and the renewals of the next weeks.
create index subscriptions_begun on subscriptions (merchant_id, coalesce(trial_ends_at, created_at)) where period_index >= 0;

alter table checkout_sessions add foreign key (merchant_id, project_id, subscription_id) references subscriptions (merchant_id, project_id, id);

-- Renewals that cannot be priced: set aside, so that they hold up no others, and tried again later. A row counts while the
-- subscription still waits for `retry_at`; whatever else moves the subscription ends it.
create table stuck_renewals (
  merchant_id uuid not null,
  subscription_id uuid not null,
  reason text not null check (char_length(reason) between 1 and 500),
  since timestamptz not null,
  retry_at timestamptz not null,
  primary key (merchant_id, subscription_id),
  foreign key (merchant_id, subscription_id) references subscriptions (merchant_id, id)
);

-- ----------------------------------------------------------------------------------------------------
-- Invoices (billing/invoices)
-- ----------------------------------------------------------------------------------------------------

-- What is owed and for what: numbers without gaps, lines, tax.
create table invoices (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  number bigint check (number > 0),
  -- The number as printed, with the prefix that held when it was given.
  number_text text,
  customer_id uuid,
  checkout_session_id uuid,
  subscription_id uuid,
  status text not null default 'open' check (status in ('draft', 'open', 'paid', 'void', 'uncollectible')),
  billing_reason text not null check (
    billing_reason in ('one_time', 'balance_top_up', 'subscription_create', 'subscription_cycle', 'subscription_change', 'manual')
  ),
  merchant_reference text,
  client_reference_id text,
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072),
  -- What a merchant writes on an invoice made by hand: a draft first, then open with a number.
  memo text check (char_length(memo) between 1 and 1000),
  -- What a draft is to be for, as it was requested; null once it is open.
  draft jsonb,
  currency text not null default 'USD' check (currency = 'USD'),
  lines jsonb not null check (jsonb_typeof(lines) = 'array'),
  -- A plan change can take off more than it charges before tax, where one price contains its tax and the other does not.
  subtotal_cents bigint not null,
  discount jsonb,
  discount_cents bigint not null default 0,
  -- All tax, and the part of it that its prices do not contain. `tax` has the seller, the buyer and the notes as they were; the
  -- rates are copied to the lines.
  tax jsonb,
  tax_cents bigint not null default 0,
  tax_added_cents bigint not null default 0,
  credit_applied_cents bigint not null default 0 check (credit_applied_cents >= 0),
  total_cents bigint not null check (total_cents >= 0),
  -- All that finally arrived for it, floored once.
  amount_paid_cents numeric(38, 0) not null default 0 check (amount_paid_cents >= 0),
  -- What a merchant waived of it, and the same by tax rate, as credit notes have it.
  waived_cents bigint not null default 0,
  waived_shares jsonb not null default '[]',
  refunded_cents numeric(38, 0) not null default 0 check (refunded_cents >= 0),
  tx_signature text,
  period_start timestamptz,
  period_end timestamptz,
  due_at timestamptz,
  checkout_url text,
  sequence integer not null default 0,
  created_at timestamptz not null,
  opened_at timestamptz,
  paid_at timestamptz,
  times_sent integer not null default 0,
  sent_at timestamptz,
  -- The next reminder, and how many steps of the schedule are done.
  next_step_at timestamptz,
  steps_done smallint not null default 0,
  times_reminded integer not null default 0,
  reminded_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, checkout_session_id) references checkout_sessions (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  foreign key (merchant_id, project_id, subscription_id) references subscriptions (merchant_id, project_id, id),
  check ((status = 'paid') = (paid_at is not null)),
  check ((period_start is null) = (period_end is null)),
  check (period_end > period_start),
  constraint invoices_discount_check check (discount_cents >= 0 and (discount_cents = 0 or discount is not null)),
  -- A draft is nobody's debt: no number, no checkout, no money, no events, no e-mails.
  constraint invoices_draft_check check (
    (status = 'draft') = (draft is not null)
    and (status <> 'draft' or billing_reason = 'manual' and number is null and checkout_session_id is null and sequence = 0
         and credit_applied_cents = 0 and amount_paid_cents = 0 and sent_at is null and next_step_at is null
         and opened_at is null and checkout_url is null)
  ),
  constraint invoices_manual_check check (
    billing_reason <> 'manual'
    or customer_id is not null and subscription_id is null
       and (status = 'draft' or number is not null and checkout_session_id is not null and due_at is not null
            and opened_at is not null and checkout_url is not null)
  ),
  -- A stranger's checkout costs nothing lasting until money comes: its invoice has no number, and neither customer nor
  -- subscription exists. Abandoned ones are pruned.
  constraint invoices_numbered_check check (
    (number is null) = (number_text is null)
    and (number is not null or status <> 'paid' and amount_paid_cents = 0)
  ),
  constraint invoices_paid_check check (status <> 'paid' or (amount_paid_cents + waived_cents::numeric) >= total_cents::numeric),
  constraint invoices_reminded_check check (times_reminded >= 0 and (times_reminded > 0) = (reminded_at is not null)),
  constraint invoices_sent_check check (times_sent >= 0 and (times_sent > 0) = (sent_at is not null)),
  constraint invoices_steps_check check (steps_done >= 0 and (next_step_at is null or billing_reason = 'manual' and status = 'open')),
  constraint invoices_subtotal_cents_check check (subtotal_cents >= 0 or billing_reason = 'subscription_change'),
  constraint invoices_tax_check check (tax is not null or tax_cents = 0 and tax_added_cents = 0),
  constraint invoices_total_check check (total_cents = (subtotal_cents - discount_cents + tax_added_cents - credit_applied_cents)),
  constraint invoices_waived_check check (
    jsonb_typeof(waived_shares) = 'array'
    and (waived_cents = 0 and waived_shares = '[]' or waived_cents > 0 and waived_cents < total_cents and status = 'paid')
  )
);

create unique index invoices_by_number on invoices (merchant_id, project_id, number);
create unique index invoices_by_session on invoices (merchant_id, checkout_session_id) where checkout_session_id is not null;
create index invoices_by_customer on invoices (merchant_id, customer_id, id) where customer_id is not null;
create index invoices_by_status on invoices (merchant_id, status, id);
create index invoices_by_project_status on invoices (merchant_id, project_id, status, id);
create index invoices_by_merchant_reference on invoices (merchant_id, merchant_reference, id) where merchant_reference is not null;
create index invoices_by_client_reference on invoices (merchant_id, client_reference_id, id) where client_reference_id is not null;
create index invoices_paid on invoices (merchant_id, paid_at) where status = 'paid';
create index invoices_by_subscription on invoices (merchant_id, subscription_id, id) where subscription_id is not null;
-- A period is billed once, and the next one only when the former is paid.
create unique index invoices_once_per_period on invoices (merchant_id, subscription_id, period_start)
  where subscription_id is not null and period_start is not null and status <> 'void' and billing_reason in ('subscription_create', 'subscription_cycle');
create unique index invoices_one_open_cycle on invoices (merchant_id, subscription_id)
  where status = 'open' and billing_reason = 'subscription_cycle';
create index invoices_by_number_text on invoices (merchant_id, lower(number_text) collate "C", id);
create index invoices_by_amount on invoices (merchant_id, total_cents, id);
create index invoices_by_metadata on invoices using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops)
  where metadata <> '{}';
create index invoices_due_steps on invoices (next_step_at) where next_step_at is not null;

alter table subscriptions add foreign key (merchant_id, project_id, latest_invoice_id) references invoices (merchant_id, project_id, id) deferrable;

alter table subscriptions add foreign key (merchant_id, project_id, renewal_invoice_id) references invoices (merchant_id, project_id, id) deferrable;

-- ----------------------------------------------------------------------------------------------------
-- What a customer gets once (billing/discounts, billing/trials)
-- ----------------------------------------------------------------------------------------------------

-- Checkouts that have a discount: open or paid. What closes unpaid gives it back.
create table discount_redemptions (
  merchant_id uuid not null,
  session_id uuid not null,
  discount_id uuid not null,
  customer_id uuid,
  email text check (char_length(email) <= 254),
  -- A redemption by somebody who only typed the address counts for those who only type it, also once its mailbox is proven.
  is_typed boolean not null,
  -- Until when an open checkout keeps its redemption while nobody pays or looks at it. Null: for good.
  held_until timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, session_id),
  foreign key (merchant_id, discount_id) references discounts (merchant_id, id),
  foreign key (merchant_id, session_id) references checkout_sessions (merchant_id, id)
);

create index discount_redemptions_by_customer on discount_redemptions (merchant_id, discount_id, customer_id);
create index discount_redemptions_by_email on discount_redemptions (merchant_id, discount_id, email);
create index discount_redemptions_held on discount_redemptions (held_until) where held_until is not null;

-- Checkouts that have a trial: open or complete. What closes unpaid gives it back.
create table trials (
  merchant_id uuid not null,
  session_id uuid not null,
  product_id uuid not null,
  customer_id uuid,
  email text check (char_length(email) <= 254),
  -- A trial for an address that somebody only typed keeps others who type it from a second one, and nobody whose address it is.
  is_typed boolean not null default false,
  created_at timestamptz not null,
  primary key (merchant_id, session_id),
  foreign key (merchant_id, product_id) references products (merchant_id, id),
  -- Whether there is a trial decides what the session costs, so the session is written after it.
  foreign key (merchant_id, session_id) references checkout_sessions (merchant_id, id) deferrable initially deferred
);

-- Whatever the code does: one trial of a product for each customer and each address.
create unique index trials_by_customer on trials (merchant_id, product_id, customer_id) where customer_id is not null;
create unique index trials_by_known_email on trials (merchant_id, product_id, email) where email is not null and not is_typed;
create unique index trials_by_typed_email on trials (merchant_id, product_id, email) where email is not null and is_typed;

-- ----------------------------------------------------------------------------------------------------
-- Usage and the ledger (billing/usage, billing/ledger)
-- ----------------------------------------------------------------------------------------------------

-- What customers use, recorded once per key, and the credits it costs.
create table usage_records (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  metric text not null check (metric ~ '^[a-z0-9_.:-]{1,64}$'),
  quantity bigint not null check (quantity between 1 and 1000000000),
  -- Usage that names a subscription belongs to its customer too.
  customer_id uuid,
  subscription_id uuid,
  idempotency_key text not null check (char_length(idempotency_key) between 1 and 255),
  -- What it took from the customer's credits.
  credits bigint not null default 0 check (credits >= 0),
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  foreign key (merchant_id, project_id, subscription_id) references subscriptions (merchant_id, project_id, id)
);

-- One event of usage counts once, for ever.
create unique index usage_records_once on usage_records (merchant_id, project_id, idempotency_key);
-- By id, which carries the time: one index serves both the lists and the sums of a period.
create index usage_records_by_metric on usage_records (merchant_id, project_id, metric, id);
create index usage_records_by_customer on usage_records (merchant_id, customer_id, id) where customer_id is not null;

-- A customer's two balances: prepaid credits (units) and account credit (cents). No row: both zero.
create table balances (
  merchant_id uuid not null,
  customer_id uuid not null,
  -- Sums: money that arrives is counted, however much there is already.
  credits numeric(38, 0) not null default 0 check (credits >= 0),
  cents numeric(38, 0) not null default 0 check (cents >= 0),
  sequence integer not null default 0,
  primary key (merchant_id, customer_id),
  foreign key (merchant_id, customer_id) references customers (merchant_id, id)
);

-- One posting moves `delta` from the account on the other side to the customer: both legs in one row, so that it
-- cannot fail to balance.
create table postings (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  customer_id uuid not null,
  delta_credits bigint not null default 0,
  delta_cents bigint not null default 0,
  -- Both balances afterwards.
  credits_after numeric(38, 0) not null check (credits_after >= 0),
  cents_after numeric(38, 0) not null check (cents_after >= 0),
  counter_account text not null check (
    counter_account in ('top_up', 'usage', 'adjustment', 'invoice', 'stray_payment', 'plan_change', 'refund')
  ),
  reason text check (char_length(reason) between 1 and 255),
  invoice_id uuid,
  usage_record_id uuid,
  -- The posting that this one takes back.
  reverses_id uuid,
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, invoice_id) references invoices (merchant_id, project_id, id),
  foreign key (merchant_id, reverses_id) references postings (merchant_id, id),
  foreign key (merchant_id, usage_record_id) references usage_records (merchant_id, id),
  check ((delta_credits = 0) <> (delta_cents = 0)),
  check (counter_account <> 'top_up' or delta_credits > 0 and invoice_id is not null),
  check (counter_account <> 'usage' or delta_credits < 0 and usage_record_id is not null),
  check (counter_account not in ('invoice', 'stray_payment', 'plan_change') or delta_credits = 0)
);

create index postings_by_customer on postings (merchant_id, customer_id, id);
create unique index postings_top_up_once on postings (merchant_id, invoice_id) where counter_account = 'top_up' and reverses_id is null;
create unique index postings_usage_once on postings (merchant_id, usage_record_id) where counter_account = 'usage' and reverses_id is null;
create unique index postings_invoice_once on postings (merchant_id, invoice_id) where counter_account = 'invoice' and reverses_id is null;
create unique index postings_reversed_once on postings (merchant_id, reverses_id) where reverses_id is not null;
-- Whoever deletes an invoice has to know that nothing names it.
create index postings_by_invoice on postings (merchant_id, invoice_id) where invoice_id is not null;

create trigger postings_only_grow before delete on postings
  for each statement execute function refuse_change_but_reset();

create trigger postings_stay before update on postings
  for each row execute function refuse_change_but_erasure();

-- ----------------------------------------------------------------------------------------------------
-- Money on the chain (chain/solana, payments/watcher, payments/transfers)
-- ----------------------------------------------------------------------------------------------------

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
  -- When the recent history of an account is read once more, wherever its cursor stands.
  next_rescan_at timestamptz not null,
  proven_slot bigint,
  proven_balance numeric(20, 0),
  -- When a turn last read the account without a problem, and since when none has. By the machine's clock.
  last_read_at timestamptz,
  problem_since timestamptz,
  -- Nodes forget: most keep a few days. How far an account's history has been listed as a whole is therefore known by
  -- time, and not by a transaction that a node may have dropped since. Where a node no longer lists what lies between
  -- that and the oldest it has, the time in between is noted: what happened in it nobody has read.
  listed_through timestamptz,
  unlisted_from timestamptz,
  unlisted_until timestamptz,
  check (watch_until > watch_since),
  check ((proven_slot is null) = (proven_balance is null)),
  constraint watched_accounts_unlisted check ((unlisted_from is null) = (unlisted_until is null) and unlisted_from <= unlisted_until)
);

create index watched_accounts_due on watched_accounts (next_poll_at);
create index watched_accounts_rescan on watched_accounts (next_rescan_at);

-- Who looks at the balances of all watched accounts, again and again, and how far the last complete look has got. One
-- process at a time does, so that several watchers do not multiply the calls.
create table account_sweep (
  only_row boolean primary key default true check (only_row),
  holder uuid,
  held_until timestamptz,
  -- Everything was looked at, at this slot or a later one; the look began at this moment.
  through_slot bigint,
  through_at timestamptz,
  check ((holder is null) = (held_until is null)),
  check ((through_slot is null) = (through_at is null))
);

-- What each transaction brought to a destination. Confirmed may still vanish; finalized never changes.
create table incoming_transfers (
  signature text not null,
  destination text not null references watched_accounts (destination),
  slot bigint not null,
  block_time timestamptz not null,
  received_base_units numeric(20, 0) not null check (received_base_units >= 0),
  -- Proof that nothing was left out: each transaction says what the account held before and after it, and from a
  -- moment at which the books and the chain agreed, what came and went must add up to what the account holds.
  balance_before numeric(20, 0),
  -- What the account held afterwards: proof, later, that nothing was overlooked. Null when it was not touched.
  balance_after numeric(20, 0),
  has_failed boolean not null,
  is_final boolean not null,
  seen_at timestamptz not null,
  primary key (signature, destination)
);

create index incoming_transfers_not_final on incoming_transfers (seen_at) where not is_final;
create index incoming_transfers_by_slot on incoming_transfers (destination, slot);
-- Transactions that named an account and brought nothing: found quickly, to be forgotten after a while.
create index incoming_transfers_mentions on incoming_transfers (destination, slot) where is_final and received_base_units = 0;

-- Transactions a node has listed and no node could show in a form we can read. The cursor goes past them, later
-- payments are settled, and each is looked up again, less and less often, until it can be read.
create table unreadable_transactions (
  destination text not null references watched_accounts (destination),
  signature text not null,
  slot bigint not null,
  reason text not null,
  attempts integer not null check (attempts > 0),
  first_seen_at timestamptz not null,
  next_attempt_at timestamptz not null,
  primary key (destination, signature)
);

create index unreadable_transactions_due on unreadable_transactions (destination, next_attempt_at);

-- What nodes said about a transaction where they contradicted each other: for the operator, no merchant's.
create table node_disagreements (
  signature text not null,
  destination text not null,
  -- The node's host, without the path that may hold a key.
  node text not null,
  claim text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Set once enough nodes agree; the rows that stay are of those that said something else.
  decided_at timestamptz,
  -- The others agree that there is no such transaction: it is not shown as under way again.
  is_refuted boolean not null default false,
  primary key (signature, destination, node)
);

create index node_disagreements_by_time on node_disagreements (last_seen_at);
create index node_disagreements_undecided on node_disagreements (destination) where decided_at is null;

-- Transactions a payer says to have paid with. Each is read like any other, and then forgotten.
create table submitted_signatures (
  merchant_id uuid not null,
  intent_id uuid not null,
  signature text not null,
  submitted_at timestamptz not null,
  -- How often we have sent it, a payer's own transaction that was checked, without the times that every node refused it. Above zero,
  -- until it is found on chain or too old to land, what it pays for stays open, and no other is sent.
  sends integer not null default 0,
  -- Block past which what we have sent can no longer land; null until the chain was looked at after that.
  lapses_at_height bigint,
  -- Of what was signed where the merchant has moved from: its payer knows the message, and never our signature.
  message_hash bytea,
  primary key (merchant_id, intent_id, signature),
  foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id) on delete cascade
);

create index submitted_signatures_by_message on submitted_signatures (merchant_id, message_hash) where message_hash is not null;
create index submitted_signatures_by_signature on submitted_signatures (merchant_id, signature);

create trigger sent_payments_of_open_merchants after insert on submitted_signatures referencing new table as added
  for each statement execute function refuse_closed_merchant();

-- Which intent got how much of an arrival. Final ones are what the intent has received.
create table payment_allocations (
  merchant_id uuid not null,
  intent_id uuid not null,
  signature text not null,
  destination text not null,
  base_units numeric(20, 0) not null check (base_units > 0),
  is_final boolean not null,
  created_at timestamptz not null,
  primary key (merchant_id, intent_id, signature),
  foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id),
  foreign key (signature, destination) references incoming_transfers (signature, destination)
);

create index payment_allocations_by_signature on payment_allocations (signature, destination);

-- What payers have said: this transaction was for that intent. It named no intent itself.
create table payment_claims (
  merchant_id uuid not null,
  signature text not null,
  intent_id uuid not null,
  claimed_at timestamptz not null,
  primary key (merchant_id, signature, intent_id),
  foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id) on delete cascade
);

create index payment_claims_by_intent on payment_claims (merchant_id, intent_id);

-- Money that needs a person: it matches nothing, is too much, came too late, or is of the wrong kind.
create table payment_exceptions (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  kind text not null check (
    kind in ('unmatched', 'ambiguous', 'wrong_mint', 'canceled', 'late', 'surplus', 'duplicate_order', 'stray', 'over_refunded')
  ),
  -- Less than one cent (10,000 base units) waits for nobody: it is listed as closed (`dust`), so that it cannot bury what does.
  status text not null default 'open' check (status in ('open', 'linked', 'returned', 'kept', 'credited', 'dust')),
  signature text not null,
  destination text not null,
  mint text not null,
  -- How many decimals the token has that arrived, as the chain says: 56 of a token with none is not 56 of one with nine.
  decimals smallint check (decimals between 0 and 255),
  base_units numeric(38, 0) not null check (base_units > 0),
  -- Worthless tokens can be sent in any number: those for one intent are one exception, which counts them.
  transfer_count bigint not null default 1 check (transfer_count >= 1),
  intent_id uuid,
  -- Money that came for an intent that had been paid before: a surplus, and no part of what the intent received.
  is_after_payment boolean not null default false,
  linked_intent_id uuid,
  -- The refund that sends the money back; or, of `over_refunded`, the one that more was sent for than it was for.
  refund_id uuid,
  -- Money that is the customer's account credit while it waits for a person.
  posting_id uuid,
  note text,
  created_at timestamptz not null,
  resolved_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id),
  foreign key (merchant_id, linked_intent_id) references payment_intents (merchant_id, id),
  foreign key (merchant_id, posting_id) references postings (merchant_id, id),
  check ((status = 'open') = (resolved_at is null)),
  check ((status = 'linked') = (linked_intent_id is not null)),
  constraint payment_exceptions_after_payment_check check (not is_after_payment or kind = 'surplus' and intent_id is not null),
  constraint payment_exceptions_credited_check check (status <> 'credited' or posting_id is not null)
);

-- An intent's history tells of the money that was left over.
create index payment_exceptions_by_intent on payment_exceptions (merchant_id, intent_id) where intent_id is not null;
create index payment_exceptions_by_linked_intent on payment_exceptions (merchant_id, linked_intent_id) where linked_intent_id is not null;
create unique index payment_exceptions_once on payment_exceptions
  (merchant_id, signature, destination, kind, mint, intent_id, (case when kind = 'over_refunded' then refund_id end)) nulls not distinct;
-- What was sent beyond a refund is found from the refund.
create index payment_exceptions_by_refund on payment_exceptions (merchant_id, refund_id) where refund_id is not null;
create index payment_exceptions_by_amount on payment_exceptions (merchant_id, base_units, id);
-- An erasure finds what became a customer's account credit.
create index payment_exceptions_by_posting on payment_exceptions (merchant_id, posting_id) where posting_id is not null;

-- Which exceptions were ever credited to a customer by a person, also those that were reopened: their events may name the
-- customer, and an erasure has to find them.
create table exception_credits (
  merchant_id uuid not null,
  posting_id uuid not null,
  exception_id uuid not null,
  -- The credit that this one replaced, of another customer: reopening gives it back.
  replaced_posting_id uuid,
  primary key (merchant_id, posting_id),
  foreign key (merchant_id, exception_id) references payment_exceptions (merchant_id, id),
  foreign key (merchant_id, posting_id) references postings (merchant_id, id),
  foreign key (merchant_id, replaced_posting_id) references postings (merchant_id, id)
);

-- ----------------------------------------------------------------------------------------------------
-- Refunds and credit notes (payments/refunds)
-- ----------------------------------------------------------------------------------------------------

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
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object' and octet_length(metadata::text) <= 131072),
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
  prepared_at timestamptz,
  -- While a prepared transaction may still land, no second one is offered, whoever asks.
  prepared_until timestamptz,
  -- The transaction that was handed to the network last: while it may still land, no other one is.
  sent_signature text check (char_length(sent_signature) between 1 and 88),
  -- How often it was, without the times that every node refused it.
  sends integer not null default 0 check (sends >= 0),
  -- Block past which what was prepared or sent last can no longer land; null until the chain was looked at after that.
  lapses_at_height bigint,
  tx_signature text,
  -- Where its reference is to be looked up next, and the last transaction there that needs no second look.
  check_at timestamptz,
  checked_signature text,
  sequence integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  succeeded_at timestamptz,
  canceled_at timestamptz,
  primary key (merchant_id, id),
  unique (merchant_id, number),
  foreign key (merchant_id, exception_id) references payment_exceptions (merchant_id, id),
  foreign key (merchant_id, payment_intent_id) references payment_intents (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id),
  foreign key (merchant_id, project_id, invoice_id) references invoices (merchant_id, project_id, id),
  check (expires_at > created_at),
  check (payment_intent_id is not null or exception_id is not null),
  check ((address is null) = (address_source is null)),
  -- Money is only ever sent to an address that was approved.
  check (address_approved_at is null or address is not null),
  check (status not in ('ready', 'processing', 'succeeded') or address_approved_at is not null),
  check (status <> 'awaiting_address' or address_approved_at is null),
  check ((status = 'succeeded') = (succeeded_at is not null)),
  check (status <> 'succeeded' or tx_signature is not null and sent_base_units >= (amount_cents::numeric * 10000)),
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
create index refunds_to_expire on refunds (expires_at) where status in ('awaiting_address', 'ready');
create index refunds_with_effects on refunds (effects_due_at) where effects_due_at is not null;
-- Refunds that are being sent are looked up apart from the many that are over.
create index refunds_open_to_check on refunds (check_at) where status in ('ready', 'processing');
create index refunds_over_to_check on refunds (check_at) where check_at is not null and status in ('succeeded', 'canceled', 'expired');
create index refunds_by_metadata on refunds using gin (jsonb_set('{}', array[merchant_id::text], metadata) jsonb_path_ops)
  where metadata <> '{}';

alter table payment_exceptions add foreign key (merchant_id, refund_id) references refunds (merchant_id, id) deferrable;

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

-- The numbers given last. One row for each merchant that has refunded something.
create table refund_counters (
  merchant_id uuid primary key references merchants (id),
  last_refund_number bigint not null default 0,
  last_credit_note_number bigint not null default 0
);

-- What was refunded, on paper.
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
  tax jsonb,
  tax_cents bigint not null default 0,
  -- What it takes back of its invoice: net and tax of each rate. `tax` has the seller, the buyer and the notes of the invoice.
  shares jsonb not null default '[]' check (jsonb_typeof(shares) = 'array'),
  created_at timestamptz not null,
  primary key (merchant_id, id),
  unique (merchant_id, number),
  unique (merchant_id, refund_id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, invoice_id) references invoices (merchant_id, project_id, id),
  foreign key (merchant_id, refund_id) references refunds (merchant_id, id),
  constraint credit_notes_tax_check check (tax is not null or tax_cents = 0 and shares = '[]')
);

create index credit_notes_by_project on credit_notes (merchant_id, project_id, id) where project_id is not null;
create index credit_notes_by_customer on credit_notes (merchant_id, customer_id, id) where customer_id is not null;
create index credit_notes_by_invoice on credit_notes (merchant_id, invoice_id, id) where invoice_id is not null;
-- Credit notes of a period that take tax back; invoices of one are found by invoices_paid.
create index credit_notes_taxed on credit_notes (merchant_id, project_id, created_at) where tax is not null;

create trigger credit_notes_only_grow before delete or truncate on credit_notes
  for each statement execute function refuse_change_but_reset();

create trigger credit_notes_stay before update on credit_notes
  for each row execute function refuse_change_but_erasure();

-- ----------------------------------------------------------------------------------------------------
-- Network fees paid for payers (payments/sponsor)
-- ----------------------------------------------------------------------------------------------------

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
  -- Block past which it can no longer land; null until the chain was looked at after it was sent.
  lapses_at_height bigint,
  created_at timestamptz not null,
  next_check_at timestamptz not null,
  confirmed_at timestamptz,
  -- A payment that another server took from a program is answered as settled once: the server hands its goods over for
  -- every such answer. Its own repeated request has the same Idempotency-Key.
  answered_at timestamptz,
  answered_key text,
  foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id) on delete cascade
);

create trigger sponsored_transactions_of_open_merchants after insert on sponsored_transactions referencing new table as added
  for each statement execute function refuse_closed_merchant();

-- Nothing is signed for a payment while something of it may still land.
create unique index sponsored_transactions_under_way on sponsored_transactions (merchant_id, intent_id) where state in ('prepared', 'sent');
create index sponsored_transactions_due on sponsored_transactions (next_check_at) where state in ('prepared', 'sent');
create index sponsored_transactions_by_intent on sponsored_transactions (merchant_id, intent_id);
create index sponsored_transactions_by_time on sponsored_transactions (merchant_id, created_at);
-- A wallet's record is what it has under way and what has failed, not all it has ever paid.
create index sponsored_transactions_of_payer on sponsored_transactions (payer) where state in ('prepared', 'sent');
create index sponsored_transactions_failed on sponsored_transactions (payer, created_at) where has_failed;
create index sponsored_transactions_at_risk on sponsored_transactions (created_at) where has_failed or state in ('prepared', 'sent');
-- What a wallet has under way, and whether its last payments came through.
create index sponsored_transactions_by_payer on sponsored_transactions (merchant_id, payer) where state = 'landed';

-- What the fee payer has spent or set aside, by UTC day: the limit holds however many processes sign.
create table sponsor_days (
  day date primary key,
  spent_lamports bigint not null check (spent_lamports >= 0),
  transactions bigint not null check (transactions >= 0)
);

-- The fee payer runs low: owners are told once, until it was topped up.
create table sponsor_low (
  address text primary key check (char_length(address) between 32 and 44),
  since timestamptz not null
);

-- ----------------------------------------------------------------------------------------------------
-- The till's sales and refund requests (counter/sales)
-- ----------------------------------------------------------------------------------------------------

-- What a till sold: a payment at its terminal, with what it was for.
create table till_sales (
  merchant_id uuid not null,
  intent_id uuid not null,
  till_id uuid not null,
  number integer not null check (number > 0),
  lines jsonb not null,
  goods_cents bigint not null check (goods_cents > 0),
  tip_cents bigint not null default 0 check (tip_cents >= 0),
  primary key (merchant_id, intent_id),
  unique (merchant_id, till_id, number),
  -- A till's sale is an order, and an order that nobody paid toward is deleted after a while: so is what it was to be.
  foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id) on delete cascade,
  foreign key (merchant_id, till_id) references tills (merchant_id, id)
);

-- Staff ask for a refund, an owner decides. Only an approved one becomes a refund.
create table refund_requests (
  merchant_id uuid not null,
  id uuid not null,
  intent_id uuid not null,
  till_id uuid not null,
  reason text check (char_length(reason) between 1 and 200),
  status text not null default 'open' check (status in ('open', 'approved', 'declined')),
  refund_id uuid,
  created_at timestamptz not null,
  decided_at timestamptz,
  primary key (merchant_id, id),
  foreign key (merchant_id, intent_id) references till_sales (merchant_id, intent_id),
  foreign key (merchant_id, refund_id) references refunds (merchant_id, id),
  foreign key (merchant_id, till_id) references tills (merchant_id, id),
  check ((status = 'approved') = (refund_id is not null)),
  check ((status = 'open') = (decided_at is null))
);

create unique index refund_requests_one_open on refund_requests (merchant_id, intent_id) where status = 'open';
create index refund_requests_by_intent on refund_requests (merchant_id, intent_id, id);
create index refund_requests_by_till on refund_requests (merchant_id, till_id);
create index refund_requests_by_refund on refund_requests (merchant_id, refund_id) where refund_id is not null;

-- ----------------------------------------------------------------------------------------------------
-- The customer portal (pages/portal)
-- ----------------------------------------------------------------------------------------------------

-- The customer portal: a link that opens it once, and the visit that follows.
create table portal_sessions (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  customer_id uuid not null,
  -- SHA-256 of what the link carries; the link itself is shown once and kept nowhere.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  return_url text check (char_length(return_url) <= 2048),
  -- Links that were asked for by e-mail are counted, and work for a quarter of an hour.
  is_by_email boolean not null default false,
  -- A mailed sign-in link opens the account only while the address it was sent to is still the customer's: it is kept as a hash.
  emailed_to_hash bytea check (octet_length(emailed_to_hash) = 32),
  asked_from_hash bytea check (octet_length(asked_from_hash) = 32),
  created_at timestamptz not null,
  -- Until when the link can be used.
  expires_at timestamptz not null,
  -- When it was used, and until when the visit lasts.
  opened_at timestamptz,
  visit_ends_at timestamptz,
  -- SHA-256 of the cookie; none once the visitor has left.
  cookie_hash bytea check (octet_length(cookie_hash) = 32),
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  check (expires_at > created_at),
  check ((opened_at is null) = (visit_ends_at is null)),
  check (cookie_hash is null or opened_at is not null),
  constraint portal_sessions_by_email_are_short check (not is_by_email or expires_at <= (created_at + '00:15:00'::interval))
);

create unique index portal_sessions_by_token on portal_sessions (token_hash);
create unique index portal_sessions_by_cookie on portal_sessions (cookie_hash) where cookie_hash is not null;
create index portal_sessions_by_customer on portal_sessions (merchant_id, project_id, customer_id);
create index portal_sessions_old on portal_sessions (expires_at);

-- Customers ask for a link to their portal by e-mail. What was asked waits here for a worker, whether or not the address
-- is anybody's, so that the answer takes equally long.
create table portal_sign_ins (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  email text not null check (char_length(email) between 1 and 254),
  language text not null check (char_length(language) between 2 and 35),
  -- Links are also counted by the network that asked for them, as a hash, so that a stranger uses up their own limit and not the customer's.
  asked_from_hash bytea check (octet_length(asked_from_hash) = 32),
  created_at timestamptz not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id) references projects (merchant_id, id)
);

create index portal_sign_ins_by_age on portal_sign_ins (created_at);

-- An address that a customer types in the portal becomes theirs when a link that was mailed to it is opened. Until then it
-- waits here, at most one for a customer; those that have ended are kept for a while to be counted.
create table portal_email_changes (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  customer_id uuid not null,
  email text not null check (char_length(email) between 1 and 254),
  -- Of the address that it replaces; null: there was none.
  from_email_hash bytea check (octet_length(from_email_hash) = 32),
  -- Whether the visit that asked was opened by a link mailed to that address.
  is_by_email boolean not null,
  token_hash bytea not null check (octet_length(token_hash) = 32),
  asked_from_hash bytea not null check (octet_length(asked_from_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  outcome text check (outcome in ('confirmed', 'withdrawn', 'replaced')),
  primary key (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  check (expires_at > created_at and expires_at <= (created_at + '24:00:00'::interval))
);

create unique index portal_email_changes_waiting on portal_email_changes (merchant_id, customer_id) where outcome is null;
create unique index portal_email_changes_by_token on portal_email_changes (token_hash);
create index portal_email_changes_by_customer on portal_email_changes (merchant_id, customer_id, created_at);
create index portal_email_changes_by_network on portal_email_changes (merchant_id, project_id, asked_from_hash, created_at);
create index portal_email_changes_old on portal_email_changes (expires_at);
create index portal_email_changes_by_address on portal_email_changes (merchant_id, project_id, lower(email collate "C"), created_at);

-- ----------------------------------------------------------------------------------------------------
-- E-mails (email)
-- ----------------------------------------------------------------------------------------------------

-- Written in the transaction that causes them, sent as due rows where the operator has set a mail server.
create table emails (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null check (
    kind in ('renewal', 'reminder', 'past_due', 'canceled', 'receipt', 'trial_started', 'trial_ending', 'trial_reminder',
      'invoice', 'invoice_reminder', 'invoice_overdue', 'rest_reminder', 'payout_address_changed', 'payout_delay_changed',
      'webhook_url_changed', 'sponsor_low', 'refund_claim', 'refund_sent', 'plan_changed', 'plan_change_planned',
      'plan_change_to_pay', 'plan_change_withdrawn', 'cancellation_set', 'subscription_ended', 'cancellation_undone',
      'portal_sign_in', 'email_confirmation', 'email_change', 'trial_confirmation')
  ),
  project_id uuid,
  customer_id uuid,
  -- E-mails to members of the merchant name one; the others are to customers.
  member_id uuid,
  invoice_id uuid,
  -- Customers are told of their refunds: where to say which address it goes to, and that it was sent.
  refund_id uuid,
  -- E-mails about a subscription: its plan was changed, or it was canceled, or not after all. Once for each change of it.
  subscription_id uuid,
  -- Tells the reminders of one invoice apart; 1 for what is written once.
  number integer not null check (number > 0),
  -- What it says, as it was when it became true.
  facts jsonb not null check (jsonb_typeof(facts) = 'object'),
  -- A claim link waits sealed until its e-mail is sent: who reads the table, or a dump of it, cannot open the refund's page.
  sealed_link bytea,
  status text not null default 'pending' check (status in ('pending', 'retrying', 'sent', 'dead')),
  attempt_count smallint not null default 0 check (attempt_count between 0 and 9),
  error text check (char_length(error) <= 500),
  next_attempt_at timestamptz,
  -- Who is sending it now. A result is taken only from the holder of this very lease.
  lease_id uuid,
  lease_until timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (merchant_id, id),
  -- Whatever happens twice, it is written once.
  unique (merchant_id, kind, invoice_id, number),
  foreign key (merchant_id, member_id) references members (merchant_id, id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  foreign key (merchant_id, project_id, invoice_id) references invoices (merchant_id, project_id, id) deferrable,
  foreign key (merchant_id, refund_id) references refunds (merchant_id, id) deferrable,
  foreign key (merchant_id, subscription_id) references subscriptions (merchant_id, id) deferrable,
  check ((status in ('pending', 'retrying')) = (next_attempt_at is not null)),
  check ((status = 'pending') = (attempt_count = 0)),
  check ((status = 'sent') = (sent_at is not null)),
  check (status <> 'dead' or error is not null),
  check ((lease_id is null) = (lease_until is null)),
  check (lease_id is null or next_attempt_at is not null),
  -- A claim link opens the refund's page: once the e-mail has gone out, or never will, it is not kept.
  constraint emails_keep_no_claim_link check (next_attempt_at is not null or sealed_link is null and not facts ? 'claimUrl'),
  constraint emails_to_somebody check (
    case
      when kind in ('payout_address_changed', 'payout_delay_changed', 'webhook_url_changed', 'sponsor_low')
        then member_id is not null and num_nonnulls(project_id, customer_id, invoice_id, refund_id, subscription_id) = 0
      when kind in ('refund_claim', 'refund_sent')
        then num_nonnulls(member_id, invoice_id, subscription_id) = 0 and num_nonnulls(project_id, customer_id, refund_id) = 3
      when kind in ('plan_changed', 'plan_change_planned', 'plan_change_to_pay', 'plan_change_withdrawn',
                    'cancellation_set', 'subscription_ended', 'cancellation_undone')
        then num_nonnulls(member_id, invoice_id, refund_id) = 0 and num_nonnulls(project_id, customer_id, subscription_id) = 3
      when kind in ('portal_sign_in', 'email_confirmation', 'email_change')
        then num_nonnulls(member_id, invoice_id, refund_id, subscription_id) = 0
             and num_nonnulls(project_id, customer_id) = 2
             and (kind = 'portal_sign_in' or facts ->> 'mailbox' is not null)
      -- A trial from a public link begins in the mailbox of the address that was typed: its e-mail is to nobody who is a
      -- customer yet.
      when kind = 'trial_confirmation'
        then num_nonnulls(member_id, customer_id, invoice_id, refund_id, subscription_id) = 0
             and project_id is not null and (next_attempt_at is not null) = (facts ->> 'mailbox' is not null)
      else num_nonnulls(member_id, refund_id, subscription_id) = 0 and num_nonnulls(project_id, customer_id, invoice_id) = 3
    end
  )
) with (fillfactor = 70);

create index emails_due on emails (next_attempt_at) where next_attempt_at is not null;
create index emails_by_age on emails using brin (created_at) with (pages_per_range = 32, autosummarize = on);
create index emails_by_invoice on emails (merchant_id, invoice_id) where invoice_id is not null;
create unique index emails_of_refund_once on emails (merchant_id, refund_id, kind) where refund_id is not null;
create unique index emails_of_change_once on emails (merchant_id, subscription_id, kind, number) where subscription_id is not null;
create index emails_of_sign_ins on emails (merchant_id, customer_id) where kind = 'portal_sign_in';
create index emails_of_portal on emails (merchant_id, customer_id) where kind in ('portal_sign_in', 'email_confirmation', 'email_change');

-- ----------------------------------------------------------------------------------------------------
-- Revenue in numbers (reports/overview)
-- ----------------------------------------------------------------------------------------------------

create function quarter_of(at timestamptz) returns timestamptz language sql immutable parallel safe
as $$ select date_bin('15 minutes', at, timestamptz '2000-01-01 00:00Z') $$;

-- Sales of a product are what its lines cost without tax, and how many of it they sold. A line that takes unused time off
-- sells nothing.
create function sold_by_line(line jsonb, out quantity bigint, out net_cents numeric) language sql immutable parallel safe
as $$
  select case when (line ->> 'amountCents')::numeric < 0 then 0 else (line ->> 'quantity')::bigint end,
         (line ->> 'amountCents')::numeric - coalesce((line ->> 'discountCents')::numeric, 0)
           - case line -> 'tax' ->> 'behavior' when 'inclusive' then (line ->> 'taxCents')::numeric else 0 end
$$;

-- The totals that a quarter of a project is part of, besides its own.
create function wider_totals(project uuid, quarter timestamptz)
  returns table (project_id uuid, span text, starts_at timestamptz) language sql immutable parallel safe
as $$
  select p.project_id, s.span, s.starts_at
    from (values (project), ('ffffffff-ffff-ffff-ffff-ffffffffffff')) as p(project_id)
   cross join (values ('quarter', quarter), ('hour', date_trunc('hour', quarter, 'UTC')),
                      ('day', date_trunc('day', quarter, 'UTC')),
                      ('month', date_trunc('month', quarter, 'UTC'))) as s(span, starts_at)
   where (p.project_id, s.span) <> (project, 'quarter')
$$;

-- Revenue by quarter of an hour, which days in every time zone are made of. Whatever changes it appends an entry in the same
-- transaction; a job adds entries up, so that no two payments wait for each other. What is read is always both together.
create table revenue_entries (
  merchant_id uuid not null,
  id uuid not null default gen_random_uuid(),
  -- All zeros: payments without a project.
  project_id uuid not null,
  -- The payment, refund, checkout session or invoice it is of.
  source_id uuid not null,
  customer_id uuid,
  -- Only of sales, which are counted for their product alone.
  product_id uuid,
  quarter timestamptz not null,
  payments_count bigint not null default 0,
  gross_cents numeric(38, 0) not null default 0,
  refunds_count bigint not null default 0,
  refunded_cents numeric(38, 0) not null default 0,
  opened_count bigint not null default 0,
  completed_count bigint not null default 0,
  primary key (merchant_id, id),
  check (product_id is null or customer_id is null)
);

-- What entries add up to. Everything together also has totals by hour, of a project and of all projects together.
create table revenue_totals (
  merchant_id uuid not null,
  -- All ones: of all projects together.
  project_id uuid not null,
  kind text not null check (kind in ('all', 'customer', 'product')),
  -- Spans of UTC time; hours are kept of everything together alone.
  span text not null check (span in ('quarter', 'hour', 'day', 'month')),
  starts_at timestamptz not null,
  -- The customer or product; all zeros for everything together.
  subject_id uuid not null,
  payments_count bigint not null,
  gross_cents numeric(38, 0) not null,
  refunds_count bigint not null,
  refunded_cents numeric(38, 0) not null,
  opened_count bigint not null,
  completed_count bigint not null,
  primary key (merchant_id, project_id, kind, span, starts_at, subject_id)
);

-- Which projects are busy.
create index revenue_totals_months on revenue_totals (starts_at) include (merchant_id, project_id, payments_count)
  where kind = 'all' and span = 'month';

create function spread_revenue() returns trigger language plpgsql as $$
declare
  changes revenue_totals[];
begin
  if tg_op = 'INSERT' then
    changes := array(select t from added t where t.span = 'quarter');
  else
    changes := array(
      select (a.merchant_id, a.project_id, a.kind, a.span, a.starts_at, a.subject_id,
              a.payments_count - b.payments_count, a.gross_cents - b.gross_cents, a.refunds_count - b.refunds_count,
              a.refunded_cents - b.refunded_cents, a.opened_count - b.opened_count,
              a.completed_count - b.completed_count)::revenue_totals
        from after a join before b using (merchant_id, project_id, kind, span, starts_at, subject_id)
       where a.span = 'quarter');
  end if;
  insert into revenue_totals as t (merchant_id, project_id, kind, span, starts_at, subject_id, payments_count, gross_cents,
                                   refunds_count, refunded_cents, opened_count, completed_count)
  select c.merchant_id, w.project_id, c.kind, w.span, w.starts_at, c.subject_id, sum(c.payments_count),
         sum(c.gross_cents), sum(c.refunds_count), sum(c.refunded_cents), sum(c.opened_count), sum(c.completed_count)
    from unnest(changes) c cross join lateral wider_totals(c.project_id, c.starts_at) w
   where c.kind = 'all'
   group by 1, 2, 3, 4, 5, 6
   order by 1, 2, 3, 4, 5, 6
  on conflict (merchant_id, project_id, kind, span, starts_at, subject_id) do update
    set payments_count = t.payments_count + excluded.payments_count, gross_cents = t.gross_cents + excluded.gross_cents,
        refunds_count = t.refunds_count + excluded.refunds_count,
        refunded_cents = t.refunded_cents + excluded.refunded_cents,
        opened_count = t.opened_count + excluded.opened_count,
        completed_count = t.completed_count + excluded.completed_count;
  insert into revenue_standings as s (merchant_id, project_id, range, kind, subject_id, net_cents, payments_count)
  select c.merchant_id, c.project_id, r.range, c.kind, c.subject_id, sum(c.gross_cents - c.refunded_cents),
         sum(c.payments_count)
    from unnest(changes) c
    join revenue_ranges r on r.merchant_id = c.merchant_id and r.project_id = c.project_id and c.starts_at >= r.since
   where c.kind <> 'all'
   group by 1, 2, 3, 4, 5
   order by 1, 2, 3, 4, 5
  on conflict (merchant_id, project_id, range, kind, subject_id) do update
    set net_cents = s.net_cents + excluded.net_cents, payments_count = s.payments_count + excluded.payments_count;
  return null;
end
$$;

-- Not of what they write themselves, and not of rows that a restore copies.
create trigger revenue_totals_added after insert on revenue_totals referencing new table as added
  for each statement when (pg_trigger_depth() = 0 and current_setting('florin.restoring', true) is distinct from 'yes')
  execute function spread_revenue();

create trigger revenue_totals_changed after update on revenue_totals referencing old table as before new table as after
  for each statement when (pg_trigger_depth() = 0 and current_setting('florin.restoring', true) is distinct from 'yes')
  execute function spread_revenue();

-- Since when standings of a project count; those without a row here have none.
create table revenue_ranges (
  merchant_id uuid not null,
  project_id uuid not null,
  range text not null check (range in ('7d', '30d', '3m', '12m')),
  since timestamptz not null,
  primary key (merchant_id, project_id, range)
);

-- What each customer and product of a busy project brought since a range of the home page begins. Triggers of the totals
-- keep them up to date.
create table revenue_standings (
  merchant_id uuid not null,
  project_id uuid not null,
  range text not null,
  kind text not null check (kind in ('customer', 'product')),
  subject_id uuid not null,
  net_cents numeric(38, 0) not null,
  payments_count bigint not null,
  primary key (merchant_id, project_id, range, kind, subject_id)
);

create index revenue_standings_best on revenue_standings (merchant_id, project_id, range, kind, net_cents desc, subject_id);

create function note_payment() returns trigger language plpgsql as $$
declare
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  place record;
begin
  select project_id, customer_id into place from checkout_sessions
   where merchant_id = new.merchant_id and payment_intent_id = new.id;
  insert into revenue_entries (merchant_id, project_id, source_id, customer_id, quarter, payments_count, gross_cents)
  select new.merchant_id, coalesce(place.project_id, nobody), new.id, place.customer_id, quarter_of(v.at), v.sign,
         v.sign * div(v.received, 10000)
    from (values (old.status, old.succeeded_at, old.received_base_units, -1),
                 (new.status, new.succeeded_at, new.received_base_units, 1)) as v(status, at, received, sign)
   where v.status = 'succeeded';
  if (old.status = 'succeeded') <> (new.status = 'succeeded') then
    insert into revenue_entries (merchant_id, project_id, source_id, customer_id, quarter, refunds_count, refunded_cents)
    select r.merchant_id, coalesce(place.project_id, nobody), r.id, place.customer_id, quarter_of(r.succeeded_at), v.sign,
           v.sign * r.amount_cents
      from refunds r, (select case new.status when 'succeeded' then 1 else -1 end as sign) as v
     where r.merchant_id = new.merchant_id and r.payment_intent_id = new.id and r.status = 'succeeded';
  end if;
  return null;
end
$$;

-- At the end of the transaction, when a session has its customer. Rows that a restore copies are counted already.
create constraint trigger payment_intents_revenue after update on payment_intents deferrable initially deferred
  for each row when ((old.status = 'succeeded' or new.status = 'succeeded')
    and (old.status, old.succeeded_at, old.received_base_units)
        is distinct from (new.status, new.succeeded_at, new.received_base_units))
  execute function note_payment();

create function note_refund() returns trigger language plpgsql as $$
begin
  insert into revenue_entries (merchant_id, project_id, source_id, customer_id, quarter, refunds_count, refunded_cents)
  select new.merchant_id, coalesce(s.project_id, '00000000-0000-0000-0000-000000000000'), new.id, s.customer_id,
         quarter_of(new.succeeded_at), 1, new.amount_cents
    from payment_intents i
    left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
   where i.merchant_id = new.merchant_id and i.id = new.payment_intent_id and i.status = 'succeeded';
  return null;
end
$$;

create constraint trigger refunds_revenue after update on refunds deferrable initially deferred
  for each row when (new.status = 'succeeded' and old.status <> 'succeeded')
  execute function note_refund();

create function note_opened_sessions() returns trigger language plpgsql as $$
begin
  insert into revenue_entries (merchant_id, project_id, source_id, quarter, opened_count)
  select merchant_id, project_id, id, quarter_of(created_at), 1 from added where origin <> 'renewal';
  return null;
end
$$;

create trigger checkout_sessions_opened after insert on checkout_sessions referencing new table as added
  for each statement when (current_setting('florin.restoring', true) is distinct from 'yes')
  execute function note_opened_sessions();

create function note_completed_session() returns trigger language plpgsql as $$
begin
  insert into revenue_entries (merchant_id, project_id, source_id, quarter, completed_count)
  values (new.merchant_id, new.project_id, new.id, quarter_of(new.created_at),
          case new.status when 'complete' then 1 else -1 end);
  return null;
end
$$;

create constraint trigger checkout_sessions_completed after update on checkout_sessions deferrable initially deferred
  for each row when (new.origin <> 'renewal' and (old.status = 'complete') <> (new.status = 'complete'))
  execute function note_completed_session();

-- Before tax, each line for the product of its price.
create function note_sale() returns trigger language plpgsql as $$
declare
  was_paid timestamptz;
begin
  if tg_op = 'UPDATE' then
    was_paid := old.paid_at;
  end if;
  insert into revenue_entries (merchant_id, project_id, source_id, product_id, quarter, payments_count, gross_cents)
  select new.merchant_id, new.project_id, new.id, p.product_id, quarter_of(v.at), v.sign * sold.quantity,
         v.sign * sold.net_cents
    from (values (was_paid, -1), (new.paid_at, 1)) as v(at, sign)
   cross join jsonb_array_elements(new.lines) as line
   cross join lateral sold_by_line(line) as sold
    join prices p on p.merchant_id = new.merchant_id and p.id = (line ->> 'priceId')::uuid
   where v.at is not null;
  return null;
end
$$;

create trigger invoices_sold after insert on invoices
  for each row when (new.status = 'paid' and current_setting('florin.restoring', true) is distinct from 'yes')
  execute function note_sale();

create constraint trigger invoices_sales after update on invoices deferrable initially deferred
  for each row when (old.paid_at is distinct from new.paid_at)
  execute function note_sale();
