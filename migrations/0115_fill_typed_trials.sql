-- @expands
-- @in-batches
update trials t set is_typed = true
  from (select u.merchant_id, u.session_id from trials u
          join checkout_sessions s on s.merchant_id = u.merchant_id and s.id = u.session_id
         where s.origin = 'link' and not u.is_typed
         limit 500) as anonymous
 where t.merchant_id = anonymous.merchant_id and t.session_id = anonymous.session_id and not t.is_typed;
