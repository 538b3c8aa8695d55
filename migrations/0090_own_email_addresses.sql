-- An address that a customer entered in the portal is unproven: its owner must not be led into that customer's account.
alter table customers add column is_email_own boolean not null default false;
