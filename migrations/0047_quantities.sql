-- How many of a plan a subscription has (seats): now, in the period that is paid ahead, and in the one that follows.
-- An empty one of the latter two means: as many as now.
alter table subscriptions
  add column quantity integer default 1 not null,
  add column prepaid_quantity integer,
  add column next_quantity integer;
alter table subscriptions
  add constraint subscriptions_quantity_check check (quantity between 1 and 10000) not valid,
  add constraint subscriptions_prepaid_quantity_check
    check (prepaid_quantity is null or (prepaid_quantity between 1 and 10000 and prepaid_price_id is not null)) not valid,
  add constraint subscriptions_next_quantity_check
    check (next_quantity is null or (next_quantity between 1 and 10000 and next_price_id is not null)) not valid;
