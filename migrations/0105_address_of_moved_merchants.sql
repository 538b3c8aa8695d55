-- @expands
-- The refusal to write of a merchant that has moved names its new address.
create or replace function refuse_closed_merchant() returns trigger language plpgsql as $$
declare
  refused record;
begin
  select moved_to into refused from merchants
   where closed_at is not null and id in (select merchant_id from added) limit 1;
  if found and current_setting('florin.moving', true) is distinct from 'yes' then
    raise exception 'the merchant is closed: it is being moved to another installation, or was'
      using errcode = 'FLMOV', detail = coalesce(refused.moved_to, '');
  end if;
  return null;
end
$$;
