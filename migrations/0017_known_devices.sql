-- An e-mail address belongs to nobody across merchants: each merchant has its own member for it, with its own password.
create unique index members_by_merchant_and_email on members (merchant_id, lower(email)) where removed_at is null;
drop index members_by_email;
create index members_by_email on members (lower(email)) where removed_at is null;

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
