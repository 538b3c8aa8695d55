-- A sandbox can be reset, and its postings go with everything else. Anywhere else the database refuses it, whoever asks.
create function refuse_change_but_reset() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('florin.resetting_sandbox', true) = 'yes'
     and exists (select from installation where network = 'sandbox') then
    return null;
  end if;
  raise exception '% only grows: % refused', tg_table_name, lower(tg_op);
end
$$;

drop trigger postings_only_grow on postings;
create trigger postings_only_grow before delete or update on postings
  for each statement execute function refuse_change_but_reset();
