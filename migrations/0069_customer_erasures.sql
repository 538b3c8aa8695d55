-- Customers can be erased: their row stays for what refers to it, and says nothing of a person any more.
alter table customers add column erased_at timestamptz;
alter table customers add constraint customers_erased_check check (
  erased_at is null
  or (num_nonnulls(external_customer_id, email, name, language, address, country) = 0
      and not is_business and metadata = '{}' and tax_ids = '[]')) not valid;

-- What was recorded of an erased customer is overwritten in batches. Where it is: the stage, the last row done in it,
-- the last event done of the rows after it.
create table customer_erasures (
  merchant_id uuid not null,
  customer_id uuid not null,
  project_id uuid not null,
  discarded_credits numeric(38, 0) not null check (discarded_credits >= 0),
  discarded_cents numeric(38, 0) not null check (discarded_cents >= 0),
  stage text not null check (stage in ('checkout_sessions', 'subscriptions', 'invoices', 'refunds', 'postings',
                                       'usage_records', 'customer', 'idempotency_keys', 'finished')),
  after_id uuid,
  after_event_object_id uuid,
  after_event_sequence integer,
  after_operation text,
  after_key text,
  done bigint default 0 not null check (done >= 0),
  -- Counted when it starts.
  total bigint check (total >= done),
  created_at timestamptz not null,
  -- In real time, whatever the sandbox's clock says.
  advanced_at timestamptz not null,
  finished_at timestamptz,
  primary key (merchant_id, customer_id),
  foreign key (merchant_id, project_id, customer_id) references customers (merchant_id, project_id, id),
  check ((stage = 'finished') = (finished_at is not null)),
  check (finished_at is null or num_nonnulls(after_id, after_event_object_id, after_operation, after_key) = 0),
  check ((after_event_object_id is null) = (after_event_sequence is null)),
  check ((after_operation is null) = (after_key is null))
);
create index customer_erasures_due on customer_erasures (advanced_at) where finished_at is null;

-- A resend has the event of what it repeats.
create index webhook_deliveries_resent on webhook_deliveries (merchant_id, event_id) where resend_of is not null;

-- The only change of what otherwise only grows: texts are removed while their customer is being erased.
create function refuse_change_but_erasure() returns trigger language plpgsql as $$
declare
  was jsonb := to_jsonb(old);
  becomes jsonb := to_jsonb(new);
  erased uuid := nullif(current_setting('florin.erasing_customer', true), '')::uuid;
  is_emptied boolean;
begin
  if exists (select from customer_erasures e
              where e.merchant_id = old.merchant_id and e.customer_id = erased and e.finished_at is null) then
    is_emptied := case tg_table_name
      when 'events' then
        was - 'body' = becomes - 'body'
        and (was ->> 'body')::jsonb - 'data' - 'metadata' = (becomes ->> 'body')::jsonb - 'data' - 'metadata'
      when 'postings' then
        (was ->> 'customer_id')::uuid = erased and becomes = was || '{"reason": null}'
      when 'credit_notes' then
        (was ->> 'customer_id')::uuid = erased and becomes = jsonb_set(was, '{tax,buyer,email}', 'null')
    end;
    if is_emptied then
      return new;
    end if;
  end if;
  raise exception '% only grows: % refused', tg_table_name, lower(tg_op);
end
$$;

drop trigger events_only_grow on events;
create trigger events_only_grow before update on events
  for each row execute function refuse_change_but_erasure();

drop trigger postings_only_grow on postings;
create trigger postings_only_grow before delete on postings
  for each statement execute function refuse_change_but_reset();
create trigger postings_stay before update on postings
  for each row execute function refuse_change_but_erasure();

drop trigger credit_notes_only_grow on credit_notes;
create trigger credit_notes_only_grow before delete or truncate on credit_notes
  for each statement execute function refuse_change_but_reset();
create trigger credit_notes_stay before update on credit_notes
  for each row execute function refuse_change_but_erasure();
