-- An anonymous buyer may come without a payment link: through a paywall, or through a shop that settles by x402.
alter table checkout_sessions drop constraint checkout_sessions_check5;
alter table checkout_sessions
  add constraint checkout_sessions_link_check check (payment_link_id is null or origin = 'link') not valid;

-- What a program's order was accepted under, so that asking again under the same key finds the same order.
create table order_keys (
  merchant_id uuid not null,
  route text not null check (char_length(route) between 1 and 200),
  key text not null check (char_length(key) between 1 and 300),
  intent_id uuid not null,
  created_at timestamptz not null,
  primary key (merchant_id, route, key),
  foreign key (merchant_id) references merchants (id)
);
create index order_keys_by_age on order_keys (created_at);

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
