-- People who sign in to the dashboard, how they prove who they are, and where they are signed in.

alter table merchants add column brand_color text check (brand_color ~ '^#[0-9a-f]{6}$');

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
  check (removed_at is null or password_hash is null)
);

create unique index members_by_email on members (lower(email)) where removed_at is null;

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
create unique index member_links_open_invitations on member_links (merchant_id, lower(email))
  where kind = 'invitation' and used_at is null;
create index member_links_by_member on member_links (merchant_id, member_id) where member_id is not null;
create index member_links_old on member_links (expires_at);

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

-- Letters to members beside those to customers.
alter table letters
  alter column project_id drop not null,
  alter column customer_id drop not null,
  alter column invoice_id drop not null,
  add column member_id uuid,
  add foreign key (merchant_id, member_id) references members (merchant_id, id),
  drop constraint letters_kind_check,
  add constraint letters_kind_check check (
    kind in ('renewal', 'reminder', 'past_due', 'canceled', 'receipt', 'payout_address_changed')
  ),
  add constraint letters_to_somebody check (
    case when kind = 'payout_address_changed'
      then member_id is not null and num_nonnulls(project_id, customer_id, invoice_id) = 0
      else member_id is null and num_nonnulls(project_id, customer_id, invoice_id) = 3
    end
  );
