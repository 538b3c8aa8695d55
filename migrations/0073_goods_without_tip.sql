-- Money that pays for the goods and not for the tip is matched with its order.
create index checkout_sessions_by_goods on checkout_sessions (merchant_id, (amount_cents - tip_cents), payment_intent_id)
  where tip_cents > 0;
