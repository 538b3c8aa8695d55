-- A payment link can leave the amount to the buyer, within limits.
alter table payment_links
  add column min_cents bigint,
  add column max_cents bigint,
  add column suggested_cents bigint[] default '{}' not null;

alter table payment_links
  add constraint payment_links_open_amount_check
    check (case when min_cents is null then max_cents is null and suggested_cents = '{}'
                else min_cents > 0 and (max_cents is null or max_cents >= min_cents)
                     and min_cents <= all (suggested_cents)
                     and (max_cents is null or max_cents >= all (suggested_cents)) end) not valid;
