-- A payer's own transaction that we have checked and sent: until it is found on chain or too old to land, what it pays for stays open.
alter table submitted_signatures add column was_sent boolean not null default false;
