-- A payout address belongs to one merchant of the installation, its projects included: whoever else used it would
-- get the money on it that nothing else assigns.
create table payout_addresses (
  merchant_id uuid not null references merchants (id),
  address text not null,
  -- Used by several merchants before this table: it goes on working for this one, and belongs to another.
  is_shared boolean not null default false,
  -- When the merchant last signed with this wallet.
  verified_at timestamptz,
  created_at timestamptz not null,
  primary key (merchant_id, address),
  check (verified_at is null or not is_shared)
);

create unique index payout_addresses_by_address on payout_addresses (address) where not is_shared;

-- Those who use an address come before those who only used it once; among them, the first.
with uses as (
  select id as merchant_id, payout_address as address, created_at, 0 as rank from merchants where payout_address is not null
  union all
  select merchant_id, payout_address, created_at, 0 from projects where payout_address is not null
  union all
  select merchant_id, destination, watch_since, 1 from watched_accounts
), holders as (
  select merchant_id, address, min(rank) as rank, min(created_at) as created_at from uses group by merchant_id, address
), ordered as (
  select *, row_number() over (partition by address order by rank, created_at, merchant_id) as place from holders
)
insert into payout_addresses (merchant_id, address, is_shared, created_at)
select merchant_id, address, place > 1, created_at from ordered where place = 1 or rank = 0;

update watched_accounts w set merchant_id = p.merchant_id
  from payout_addresses p where p.address = w.destination and not p.is_shared and p.merchant_id <> w.merchant_id;

alter table merchants add foreign key (id, payout_address) references payout_addresses (merchant_id, address) deferrable;
alter table projects add foreign key (merchant_id, payout_address) references payout_addresses (merchant_id, address);

-- What a wallet is asked to sign. One for each merchant and address; a newer one replaces it.
create table payout_challenges (
  merchant_id uuid not null references merchants (id),
  address text not null,
  message text not null,
  expires_at timestamptz not null,
  primary key (merchant_id, address)
);

create index payout_challenges_old on payout_challenges (expires_at);
