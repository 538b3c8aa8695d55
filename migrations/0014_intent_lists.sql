-- A list walks the index of its own merchant, also when it is planned without knowing for whom.

-- Payers ask by id alone. Of the bytes of the id this index tells as fast, and no list can be tempted to walk it
-- through everybody's payments.
drop index payment_intents_by_id;
create unique index payment_intents_by_id on payment_intents (uuid_send(id));

-- Few are underpaid among very many that are not.
create index payment_intents_by_status on payment_intents (merchant_id, status, id);
