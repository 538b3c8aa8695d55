-- Less than one cent (10,000 base units) waits for nobody: it is listed as closed, so that it cannot bury what does.
-- Another token is not measured in cents, and what became account credit stays open with it.
alter table payment_exceptions
  drop constraint payment_exceptions_status_check,
  add constraint payment_exceptions_status_check check (status in ('open', 'linked', 'returned', 'dust')) not valid;
alter table payment_exceptions validate constraint payment_exceptions_status_check;

update payment_exceptions set status = 'dust', resolved_at = created_at
 where status = 'open' and base_units < 10000 and kind <> 'wrong_mint' and posting_id is null;
