-- Refunds that are being sent are looked up apart from the many that are over.
create index refunds_open_to_check on refunds (check_at) where status in ('ready', 'processing');
create index refunds_over_to_check on refunds (check_at)
  where check_at is not null and status in ('succeeded', 'canceled', 'expired');
drop index refunds_to_check;

-- What was sent beyond a refund is found from the refund.
create index payment_exceptions_by_refund on payment_exceptions (merchant_id, refund_id) where refund_id is not null;
