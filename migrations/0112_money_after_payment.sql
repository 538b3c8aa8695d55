-- @expands
-- Money that came for an intent that had been paid before: a surplus, and no part of what the intent received.
alter table payment_exceptions
  add column is_after_payment boolean not null default false,
  add constraint payment_exceptions_after_payment_check
    check (not is_after_payment or (kind = 'surplus' and intent_id is not null)) not valid;
