-- The customer portal: a link that opens it once, and the visit that follows.

create table portal_sessions (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  customer_id uuid not null,
  -- SHA-256 of what the link carries; the link itself is shown once and kept nowhere.
  token_hash bytea not null check (octet_length(token_hash) = 32),
  return_url text check (char_length(return_url) <= 2048),
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
  check (cookie_hash is null or opened_at is not null)
);

create unique index portal_sessions_by_token on portal_sessions (token_hash);
create unique index portal_sessions_by_cookie on portal_sessions (cookie_hash) where cookie_hash is not null;
create index portal_sessions_by_customer on portal_sessions (merchant_id, project_id, customer_id);
create index portal_sessions_old on portal_sessions (expires_at);
