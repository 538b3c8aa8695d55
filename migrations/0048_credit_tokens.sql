-- Tokens that spend a customer's credits are signed, not stored. Revoking one raises the number that is signed.
create table credit_token_revocations (
  merchant_id uuid not null,
  customer_id uuid not null,
  generation integer not null check (generation >= 1),
  revoked_at timestamptz not null,
  primary key (merchant_id, customer_id),
  foreign key (merchant_id, customer_id) references customers (merchant_id, id)
);
