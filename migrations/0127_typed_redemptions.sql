-- @expands
-- A redemption by somebody who only typed the address counts for those who only type it, also once its mailbox is proven. Null: written
-- by the release before.
alter table discount_redemptions add column is_typed boolean;
