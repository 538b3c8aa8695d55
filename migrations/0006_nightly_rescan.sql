-- When the recent history of an account is read once more, wherever its cursor stands.
alter table watched_accounts add column next_rescan_at timestamptz not null default now();
alter table watched_accounts alter column next_rescan_at drop default;

create index watched_accounts_rescan on watched_accounts (next_rescan_at);
