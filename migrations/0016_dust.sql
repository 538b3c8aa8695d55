-- Less than one cent (10,000 base units) counts as nothing received: it neither blocks a cancel nor an expiry.
-- Not validated, because the stricter check it replaces has held for every row.
alter table payment_intents
  drop constraint payment_intents_check2,
  add constraint payment_intents_unseen_check check (
    status not in ('pending', 'expired', 'canceled') or received_base_units < 10000
  ) not valid;

-- What a session counts toward its month's volume where that is not its whole amount: a part payment of one that
-- reserved nothing.
alter table checkout_sessions
  add column volume_cents bigint,
  add constraint checkout_sessions_volume_cents_check check (
    volume_cents is null or (volume_cents > 0 and volume_month is not null)
  ) not valid;
