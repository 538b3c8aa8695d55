-- @expands
alter table sponsored_transactions add column confirmed_at timestamptz;
