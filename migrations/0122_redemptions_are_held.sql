-- @expands
-- Until when an open checkout keeps its redemption while nobody pays or looks at it. Null: for good, as the release before has it.
alter table discount_redemptions add column held_until timestamptz;
