-- Whether customers can enter a promotion code on the checkout page.
alter table checkout_sessions add column allow_promotion_codes boolean default false not null;
alter table payment_links add column allow_promotion_codes boolean default false not null;
