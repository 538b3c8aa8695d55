-- @expands

-- Amounts that name an order: a transfer of exactly this much to this address, with no reference and no memo, pays it. The
-- network and the token are the installation's, so the address says the rest.
create table reserved_amounts (
  merchant_id uuid not null,
  intent_id uuid not null,
  destination text not null,
  -- Never whole cents, as prices are: a price that somebody sends without a reference names nobody.
  base_units numeric(20, 0) not null check (base_units between 1 and 18446744073709551615 and base_units % 10000 <> 0),
  reserved_at timestamptz not null,
  -- When its order was found to have ended: the quarantine begins then. Null: the order can be paid.
  ended_at timestamptz check (ended_at >= reserved_at),
  primary key (merchant_id, intent_id, base_units),
  foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id)
);

-- One order for an amount at an address, whichever merchant's, until the quarantine is over and the row is deleted.
create unique index reserved_amounts_by_amount on reserved_amounts (destination, base_units);
create index reserved_amounts_ended on reserved_amounts (ended_at) where ended_at is not null;

-- An amount that is reserved after the merchant's rows were copied would be unknown where the merchant is now.
create trigger reserved_amounts_of_open_merchants after insert on reserved_amounts referencing new table as added
  for each statement execute function refuse_closed_merchant();
