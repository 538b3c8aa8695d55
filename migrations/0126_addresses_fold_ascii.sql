-- @expands
-- @each-statement-alone
-- Two addresses are one where they differ in the case of A to Z only, in every database: what else lower() folds depends on its locale, and
-- some fold letters of other people's domains.
create index concurrently customers_by_address on customers (merchant_id, lower(email collate "C"), id) where email is not null;
create index concurrently checkout_sessions_by_address on checkout_sessions (merchant_id, lower(customer_email collate "C"), id) where customer_email is not null;
create index concurrently portal_email_changes_by_address on portal_email_changes (merchant_id, project_id, lower(email collate "C"), created_at);
create index concurrently members_by_address on members (lower(email collate "C")) where removed_at is null;
create unique index concurrently members_by_merchant_and_address on members (merchant_id, lower(email collate "C")) where removed_at is null;
create unique index concurrently member_links_by_open_address on member_links (merchant_id, lower(email collate "C")) where kind = 'invitation' and used_at is null;
drop index concurrently if exists customers_by_email;
drop index concurrently if exists checkout_sessions_by_email;
drop index concurrently if exists portal_email_changes_by_email;
drop index concurrently if exists members_by_email;
drop index concurrently if exists members_by_merchant_and_email;
drop index concurrently if exists member_links_open_invitations;
