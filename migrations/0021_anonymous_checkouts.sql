-- A stranger's checkout costs nothing lasting until money comes: its invoice has no number, and neither customer nor
-- subscription exists. Abandoned ones are pruned. Checks are not validated: the stricter ones held for every row.

alter table invoices
  alter column number drop not null,
  alter column number_text drop not null,
  add constraint invoices_numbered_check check (
    (number is null) = (number_text is null) and (number is not null or (status <> 'paid' and amount_paid_cents = 0))
  ) not valid;

alter table checkout_sessions
  drop constraint checkout_sessions_check4,
  drop constraint checkout_sessions_check6,
  add constraint checkout_sessions_subscription_check check (mode = 'subscription' or subscription_id is null) not valid,
  add constraint checkout_sessions_buyer_check check (
    mode = 'one_time'
    or (customer_id is not null and (mode <> 'subscription' or subscription_id is not null))
    or (origin = 'link' and payment_status in ('unpaid', 'processing'))
  ) not valid;

-- Those that may be pruned, by when they ended.
create index checkout_sessions_abandoned on checkout_sessions (expires_at, id)
  where origin = 'link' and payment_status = 'unpaid' and status in ('expired', 'canceled');

-- Whoever deletes an invoice has to know that nothing names it.
create index postings_by_invoice on postings (merchant_id, invoice_id) where invoice_id is not null;
create index letters_by_invoice on letters (merchant_id, invoice_id) where invoice_id is not null;
create index subscriptions_by_latest_invoice on subscriptions (merchant_id, latest_invoice_id)
  where latest_invoice_id is not null;
create index subscriptions_by_renewal_invoice on subscriptions (merchant_id, renewal_invoice_id)
  where renewal_invoice_id is not null;

-- What a payer pasted goes with the intent it was pasted for.
alter table pasted_signatures
  drop constraint pasted_signatures_merchant_id_intent_id_fkey,
  add constraint pasted_signatures_merchant_id_intent_id_fkey
    foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id) on delete cascade not valid;
