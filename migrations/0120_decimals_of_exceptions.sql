-- @expands
-- How many decimals the token has that arrived, as the chain says: 56 of a token with none is not 56 of one with nine. Null
-- for what was listed before.
alter table payment_exceptions add column decimals smallint;
alter table payment_exceptions add constraint payment_exceptions_decimals_check
  check (decimals between 0 and 255) not valid;
