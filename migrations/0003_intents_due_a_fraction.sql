-- @expands
-- @each-statement-alone

-- The few orders of which a fraction of a cent has arrived: what is still due on one may equal an amount that is reserved.
create index concurrently payment_intents_due_a_fraction on payment_intents (destination_address)
  where received_base_units % 10000 <> 0 and status not in ('succeeded', 'canceled');
