-- A wallet's record is what it has under way and what has failed, not all it has ever paid.
create index sponsored_transactions_of_payer on sponsored_transactions (payer) where state in ('prepared', 'sent');
create index sponsored_transactions_failed on sponsored_transactions (payer, created_at) where has_failed;
drop index sponsored_transactions_by_payer;
