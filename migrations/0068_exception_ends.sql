-- Money that needs a review can also be kept, or become account credit of a customer.
alter table payment_exceptions
  drop constraint payment_exceptions_status_check,
  add constraint payment_exceptions_status_check
    check (status in ('open', 'linked', 'returned', 'kept', 'credited', 'dust')) not valid,
  add constraint payment_exceptions_credited_check
    check (status <> 'credited' or posting_id is not null) not valid;
create index payment_exceptions_by_amount on payment_exceptions (merchant_id, base_units, id);

-- What payers have said: this transaction was for that intent. It named no intent itself.
create table payment_claims (
  merchant_id uuid not null,
  signature text not null,
  intent_id uuid not null,
  claimed_at timestamptz not null,
  primary key (merchant_id, signature, intent_id),
  foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id) on delete cascade
);
create index payment_claims_by_intent on payment_claims (merchant_id, intent_id);
