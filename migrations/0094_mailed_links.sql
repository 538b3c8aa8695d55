-- A mailed sign-in link opens the account only while the address it was sent to is still the customer's: it is kept as a hash.
alter table portal_sessions add column emailed_to_hash bytea check (octet_length(emailed_to_hash) = 32);
-- Links are also counted by the network that asked for them, as a hash, so that a stranger uses up their own limit and not the customer's.
alter table portal_sign_ins add column asked_from_hash bytea check (octet_length(asked_from_hash) = 32);
alter table portal_sessions add column asked_from_hash bytea check (octet_length(asked_from_hash) = 32);
