-- An erasure finds what became a customer's account credit.
create index payment_exceptions_by_posting on payment_exceptions (merchant_id, posting_id) where posting_id is not null;
