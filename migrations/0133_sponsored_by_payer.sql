-- @expands
-- @each-statement-alone
create index concurrently sponsored_transactions_by_payer on sponsored_transactions (merchant_id, payer)
  where state = 'landed';
