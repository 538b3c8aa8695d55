-- When the recent history of an account is read once more, wherever its cursor stands.
alter table watched_accounts add column next_rescan_at timestamptz not null default now();
alter table watched_accounts alter column next_rescan_at drop default;

create index watched_accounts_rescan on watched_accounts (next_rescan_at);

-- Proof that nothing was left out: each transaction says what the account held before and after it, and from a
-- moment at which the books and the chain agreed, what came and went must add up to what the account holds.
alter table arrivals add column balance_before numeric(20, 0);
alter table watched_accounts
  add column proven_slot bigint,
  add column proven_balance numeric(20, 0),
  add check ((proven_slot is null) = (proven_balance is null));
