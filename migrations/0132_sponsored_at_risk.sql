-- @expands
-- @each-statement-alone
create index concurrently sponsored_transactions_at_risk on sponsored_transactions (created_at)
  where has_failed or state in ('prepared', 'sent');
