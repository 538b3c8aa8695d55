-- @expands
-- Nodes forget: most keep a few days. How far an account's history has been listed as a whole is therefore known by
-- time, and not by a transaction that a node may have dropped since. Where a node no longer lists what lies between
-- that and the oldest it has, the time in between is noted: what happened in it nobody has read.
alter table watched_accounts
  add column listed_through timestamptz,
  add column unlisted_from timestamptz,
  add column unlisted_until timestamptz;

alter table watched_accounts
  add constraint watched_accounts_unlisted check (
    (unlisted_from is null) = (unlisted_until is null) and unlisted_from <= unlisted_until) not valid;
