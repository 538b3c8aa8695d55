-- A payment that another server took from a program is answered as settled once: the server hands its goods over for
-- every such answer. Its own repeated request has the same Idempotency-Key. Everything paid before this has been answered.
alter table sponsored_transactions add column answered_at timestamptz, add column answered_key text;
update sponsored_transactions set answered_at = created_at where via = 'x402' and state = 'landed';

-- What a wallet has under way, and whether its last payments came through.
create index sponsored_transactions_by_payer on sponsored_transactions (payer, created_at);
