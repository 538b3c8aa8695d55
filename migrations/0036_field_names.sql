-- The field's own words. Nothing but names changes: every row, index and constraint stays as it is.
alter table arrivals rename to incoming_transfers;
alter table credits rename to payment_allocations;
alter table letters rename to emails;
alter table pasted_signatures rename to submitted_signatures;
alter table submitted_signatures rename column pasted_at to submitted_at;
alter table checkout_sessions rename column stray_at to unapplied_at;
alter table postings rename column other_side to counter_account;
alter table payment_intents rename column resting_status to status_without_payment;
alter table payment_intents rename column lane to session_ordering_key;
alter table events rename column lane to ordering_key;
alter table webhook_deliveries rename column lane to ordering_key;
alter table webhook_deliveries rename column holds_lane_until to holds_order_until;
alter index webhook_deliveries_by_lane rename to webhook_deliveries_by_ordering_key;

-- Indexes and constraints follow the names of their tables.
do $$
declare
  old text[] := array['arrivals', 'credits', 'letters', 'pasted_signatures'];
  new text[] := array['incoming_transfers', 'payment_allocations', 'emails', 'submitted_signatures'];
  found record;
begin
  for i in 1 .. array_length(old, 1) loop
    for found in
      select conname from pg_constraint where conrelid = new[i]::regclass and starts_with(conname, old[i] || '_')
    loop
      execute format('alter table %I rename constraint %I to %I', new[i], found.conname,
                     new[i] || substr(found.conname, length(old[i]) + 1));
    end loop;
    for found in
      select c.relname from pg_index x join pg_class c on c.oid = x.indexrelid
       where x.indrelid = new[i]::regclass and starts_with(c.relname, old[i] || '_')
    loop
      execute format('alter index %I rename to %I', found.relname,
                     new[i] || substr(found.relname, length(old[i]) + 1));
    end loop;
  end loop;
end
$$;
alter table payment_intents rename constraint payment_intents_resting_status_check to payment_intents_status_without_payment_check;
alter table postings rename constraint postings_other_side_check to postings_counter_account_check;
