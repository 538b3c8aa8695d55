-- @expands
-- Somebody who was written down twice: a customer who was merged into another has that one's details and balance, and keeps their own
-- ids and what was sold to them. It is never more than one step.
alter table customers add column merged_into_id uuid;
alter table customers
  add constraint customers_merged_check check (merged_into_id <> id) not valid,
  add constraint customers_merged_into_fkey foreign key (merchant_id, project_id, merged_into_id)
    references customers (merchant_id, project_id, id) deferrable not valid;
