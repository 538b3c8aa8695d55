-- Events of one transaction are listed in the order in which they were written, which their ids do not always tell.

create index events_as_written on events (merchant_id, written_by, ordinal);
drop index events_in_order;
