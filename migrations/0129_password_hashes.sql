-- @expands
-- A hash of another form, or that takes more work than ours, is nobody's password.
alter table members add constraint members_password_hash_form check (
  password_hash ~ '^\$argon2id\$v=19\$m=[0-9]{1,5},t=[12],p=1\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{43}$'
  and substring(password_hash from 'm=([0-9]{1,5}),')::integer <= 19456) not valid;
