-- A payment arrives at any address, also a mistyped one: only its owner can say that it shows in their wallet.
alter table payout_addresses add column seen_in_wallet_at timestamptz;
