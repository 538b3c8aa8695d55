-- @expands
-- @each-statement-alone
create index concurrently discount_redemptions_held on discount_redemptions (held_until) where held_until is not null;
