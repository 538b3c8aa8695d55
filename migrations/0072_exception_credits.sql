-- Which exceptions were ever credited to a customer by a person, also those that were reopened: their events may name the
-- customer, and an erasure has to find them.
create table exception_credits (
  merchant_id uuid not null,
  posting_id uuid not null,
  exception_id uuid not null,
  -- The credit that this one replaced, of another customer: reopening gives it back.
  replaced_posting_id uuid,
  primary key (merchant_id, posting_id),
  foreign key (merchant_id, posting_id) references postings (merchant_id, id),
  foreign key (merchant_id, replaced_posting_id) references postings (merchant_id, id),
  foreign key (merchant_id, exception_id) references payment_exceptions (merchant_id, id)
);
insert into exception_credits (merchant_id, posting_id, exception_id)
  select merchant_id, posting_id, id from payment_exceptions where status = 'credited' and posting_id is not null
  on conflict do nothing;
