-- @expands
-- @each-statement-alone
alter table members validate constraint members_password_hash_form;
