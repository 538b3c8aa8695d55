-- While a prepared transaction may still land, no second one is offered, whoever asks.
alter table refunds add column prepared_until timestamptz;
