-- Where buyers may add a tip: what percentages the page offers, and what they chose.
alter table payment_links
  add column tip_percents integer[] default '{}' not null,
  add constraint payment_links_tip_percents_check check (cardinality(tip_percents) <= 4) not valid;
alter table checkout_sessions
  add column tip_percents integer[] default '{}' not null,
  add column tip_cents bigint default 0 not null,
  add constraint checkout_sessions_tip_check
    check (cardinality(tip_percents) <= 4 and tip_cents >= 0 and (tip_cents = 0 or tip_percents <> '{}')) not valid;
