-- @expands
-- @in-batches
-- Nobody could sign in with them; a reset link sets a new password.
update members set password_hash = null where ctid = any(array(
  select ctid from members
   where not (password_hash ~ '^\$argon2id\$v=19\$m=[0-9]{1,5},t=[12],p=1\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{43}$'
              and substring(password_hash from 'm=([0-9]{1,5}),')::integer <= 19456)
   limit 500));
