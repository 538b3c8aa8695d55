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

alter table watched_accounts
  -- When a turn last read the account without a problem, and since when none has. By the machine's clock.
  add column last_read_at timestamptz,
  add column problem_since timestamptz;
