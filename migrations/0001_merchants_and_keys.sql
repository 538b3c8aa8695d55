-- One row says what this database is for: a mainnet database is never opened as a sandbox, and the key
-- that seals secrets is checked before anything is written with another one.
create table installation (
  only_row boolean primary key default true check (only_row),
  network text not null check (network in ('sandbox', 'devnet', 'mainnet')),
  sealed_check bytea not null,
  created_at timestamptz not null
);

create table merchants (
  id uuid primary key,
  name text check (char_length(name) between 1 and 255),
  payout_address text check (char_length(payout_address) between 32 and 44),
  verification_status smallint not null default 0 check (verification_status between 0 and 3),
  webhook_url text check (char_length(webhook_url) between 1 and 2048),
  webhook_secret bytea not null,
  previous_webhook_secret bytea,
  previous_webhook_secret_until timestamptz,
  created_at timestamptz not null,
  check ((previous_webhook_secret is null) = (previous_webhook_secret_until is null))
);

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
  created_at timestamptz not null,
  primary key (merchant_id, id)
);

create unique index api_keys_by_hash on api_keys (hash);

-- Who changed what. Rows are only ever added; the trigger refuses the rest.
create table audit_entries (
  merchant_id uuid not null references merchants (id),
  id uuid not null,
  actor text not null,
  action text not null,
  target_id uuid,
  detail jsonb not null default '{}',
  created_at timestamptz not null,
  primary key (merchant_id, id)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% only grows: % refused', tg_table_name, lower(tg_op);
end
$$;

create trigger audit_entries_only_grow before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();
