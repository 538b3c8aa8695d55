-- Owners who have a passkey sign in and confirm with it, and not with their password.
alter table merchants add column require_passkeys boolean not null default false;
