-- @expands
-- @each-statement-alone
-- The stats add up what a month of payments brought: with the amounts in the index, none is read from the table.
create index concurrently payment_intents_received on payment_intents (merchant_id, succeeded_at)
  include (received_base_units) where status = 'succeeded';
drop index concurrently if exists payment_intents_succeeded;
