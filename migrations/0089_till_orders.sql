-- A till's sale is an order now, and an order that nobody paid toward is deleted after a while: so is what it was to be.
alter table till_sales
  drop constraint till_sales_merchant_id_intent_id_fkey,
  add constraint till_sales_merchant_id_intent_id_fkey
    foreign key (merchant_id, intent_id) references payment_intents (merchant_id, id) on delete cascade not valid;
alter table till_sales validate constraint till_sales_merchant_id_intent_id_fkey;
