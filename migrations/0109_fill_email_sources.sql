-- @expands
-- @in-batches
-- What a customer changed in the portal, what a wallet came with, and what a buyer typed on a link before they were a customer is typed.
update customers c set email_source = case
    when c.is_email_own or c.external_customer_id like 'solana:%'
         or exists (select from checkout_sessions s
                     where s.merchant_id = c.merchant_id and s.customer_id = c.id and s.origin = 'link'
                       and s.created_at <= c.created_at) then 'typed'
    else 'merchant' end
  from (select merchant_id, id from customers
         where email is not null and email_source is null
         order by merchant_id, id limit 500) as unsourced
 where c.merchant_id = unsourced.merchant_id and c.id = unsourced.id
   and c.email is not null and c.email_source is null;
