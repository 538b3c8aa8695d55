-- The transaction that was handed to the network last: while it may still land, no other one is.
alter table refunds add column sent_signature text check (char_length(sent_signature) between 1 and 88);
