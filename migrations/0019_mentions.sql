-- Transactions that named an account and brought nothing: found quickly, to be forgotten after a while.
create index arrivals_mentions on arrivals (destination, slot) where is_final and received_base_units = 0;
