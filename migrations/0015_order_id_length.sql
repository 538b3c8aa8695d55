-- An order id has at most 128 characters. Longer references of checkout sessions stay on the session and its invoice.
update payment_intents set order_id = null where char_length(order_id) > 128;
alter table payment_intents drop constraint payment_intents_order_id_check;
alter table payment_intents add constraint payment_intents_order_id_check
  check (char_length(order_id) between 1 and 128) not valid;
alter table payment_intents validate constraint payment_intents_order_id_check;
