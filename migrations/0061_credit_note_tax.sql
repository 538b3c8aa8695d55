-- What a credit note takes back of its invoice: net and tax of each rate. `tax` has the seller, the buyer and the notes of
-- the invoice. Credit notes from before have nothing of it.
alter table credit_notes
  add column shares jsonb default '[]' not null,
  add column tax jsonb,
  add column tax_cents bigint default 0 not null;
alter table credit_notes
  add constraint credit_notes_shares_check check (jsonb_typeof(shares) = 'array') not valid,
  add constraint credit_notes_tax_check check (tax is not null or (tax_cents = 0 and shares = '[]')) not valid;
