-- Revenue by quarter of an hour, which days in every time zone are made of. Whatever changes it appends an entry in the same
-- transaction; a job adds entries up, so that no two payments wait for each other. What is read is always both together.
create table revenue_entries (
  merchant_id uuid not null,
  -- All zeros: payments without a project.
  project_id uuid not null,
  -- The payment, refund, checkout session or invoice it is of.
  source_id uuid not null,
  customer_id uuid,
  -- Only of sales, which are counted for their product alone.
  product_id uuid,
  quarter timestamptz not null,
  payments_count bigint not null default 0,
  gross_cents numeric(38,0) not null default 0,
  refunds_count bigint not null default 0,
  refunded_cents numeric(38,0) not null default 0,
  opened_count bigint not null default 0,
  completed_count bigint not null default 0,
  check (product_id is null or customer_id is null)
);
create index revenue_entries_by_merchant on revenue_entries (merchant_id);

create table revenue_totals (
  merchant_id uuid not null,
  project_id uuid not null,
  kind text not null check (kind in ('all', 'customer', 'product')),
  -- Spans of UTC time; those of everything together are quarters only.
  span text not null check (span in ('quarter', 'day', 'month')),
  starts_at timestamptz not null,
  -- The customer or product; all zeros for everything together.
  subject_id uuid not null,
  payments_count bigint not null,
  gross_cents numeric(38,0) not null,
  refunds_count bigint not null,
  refunded_cents numeric(38,0) not null,
  opened_count bigint not null,
  completed_count bigint not null,
  primary key (merchant_id, project_id, kind, span, starts_at, subject_id)
);

-- How far a job has come that counts what was there before this. What is appended meanwhile is not added up until it is done.
create table revenue_fill (
  source text primary key check (source in ('payment_intents', 'refunds', 'checkout_sessions', 'invoices')),
  merchant_id uuid not null,
  source_id uuid not null
);
insert into revenue_fill (source, merchant_id, source_id)
select source, '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'
  from unnest(array['payment_intents', 'refunds', 'checkout_sessions', 'invoices']) as source
 where exists (select from payment_intents) or exists (select from invoices);

create function quarter_of(at timestamptz) returns timestamptz language sql immutable parallel safe
as $$ select date_bin('15 minutes', at, timestamptz '2000-01-01 00:00Z') $$;

create function note_payment() returns trigger language plpgsql as $$
declare
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  place record;
begin
  select project_id, customer_id into place from checkout_sessions
   where merchant_id = new.merchant_id and payment_intent_id = new.id;
  insert into revenue_entries (merchant_id, project_id, source_id, customer_id, quarter, payments_count, gross_cents)
  select new.merchant_id, coalesce(place.project_id, nobody), new.id, place.customer_id, quarter_of(v.at), v.sign,
         v.sign * div(v.received, 10000)
    from (values (old.status, old.succeeded_at, old.received_base_units, -1),
                 (new.status, new.succeeded_at, new.received_base_units, 1)) as v(status, at, received, sign)
   where v.status = 'succeeded';
  if (old.status = 'succeeded') <> (new.status = 'succeeded') then
    insert into revenue_entries (merchant_id, project_id, source_id, customer_id, quarter, refunds_count, refunded_cents)
    select r.merchant_id, coalesce(place.project_id, nobody), r.id, place.customer_id, quarter_of(r.succeeded_at), v.sign,
           v.sign * r.amount_cents
      from refunds r, (select case new.status when 'succeeded' then 1 else -1 end as sign) as v
     where r.merchant_id = new.merchant_id and r.payment_intent_id = new.id and r.status = 'succeeded';
  end if;
  return null;
end
$$;

create function note_refund() returns trigger language plpgsql as $$
begin
  insert into revenue_entries (merchant_id, project_id, source_id, customer_id, quarter, refunds_count, refunded_cents)
  select new.merchant_id, coalesce(s.project_id, '00000000-0000-0000-0000-000000000000'), new.id, s.customer_id,
         quarter_of(new.succeeded_at), 1, new.amount_cents
    from payment_intents i
    left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
   where i.merchant_id = new.merchant_id and i.id = new.payment_intent_id and i.status = 'succeeded';
  return null;
end
$$;

create function note_opened_sessions() returns trigger language plpgsql as $$
begin
  insert into revenue_entries (merchant_id, project_id, source_id, quarter, opened_count)
  select merchant_id, project_id, id, quarter_of(created_at), 1 from added where origin <> 'renewal';
  return null;
end
$$;

create function note_completed_session() returns trigger language plpgsql as $$
begin
  insert into revenue_entries (merchant_id, project_id, source_id, quarter, completed_count)
  values (new.merchant_id, new.project_id, new.id, quarter_of(new.created_at),
          case new.status when 'complete' then 1 else -1 end);
  return null;
end
$$;

-- Before tax, each line for the product of its price.
create function note_sale() returns trigger language plpgsql as $$
declare
  was_paid timestamptz;
begin
  if tg_op = 'UPDATE' then
    was_paid := old.paid_at;
  end if;
  insert into revenue_entries (merchant_id, project_id, source_id, product_id, quarter, payments_count, gross_cents)
  select new.merchant_id, new.project_id, new.id, p.product_id, quarter_of(v.at), v.sign,
         v.sign * ((line ->> 'amountCents')::numeric - coalesce((line ->> 'discountCents')::numeric, 0))
    from (values (was_paid, -1), (new.paid_at, 1)) as v(at, sign)
   cross join jsonb_array_elements(new.lines) as line
    join prices p on p.merchant_id = new.merchant_id and p.id = (line ->> 'priceId')::uuid
   where v.at is not null;
  return null;
end
$$;

-- At the end of the transaction, when a session has its customer. Rows that a restore copies are counted already.
create constraint trigger payment_intents_revenue after update on payment_intents deferrable initially deferred
  for each row when ((old.status = 'succeeded' or new.status = 'succeeded')
    and (old.status, old.succeeded_at, old.received_base_units) is distinct from (new.status, new.succeeded_at, new.received_base_units))
  execute function note_payment();
create constraint trigger refunds_revenue after update on refunds deferrable initially deferred
  for each row when (new.status = 'succeeded' and old.status <> 'succeeded') execute function note_refund();
create trigger checkout_sessions_opened after insert on checkout_sessions referencing new table as added
  for each statement when (current_setting('florin.restoring', true) is distinct from 'yes')
  execute function note_opened_sessions();
create constraint trigger checkout_sessions_completed after update on checkout_sessions deferrable initially deferred
  for each row when (new.origin <> 'renewal' and (old.status = 'complete') <> (new.status = 'complete'))
  execute function note_completed_session();
create trigger invoices_sold after insert on invoices
  for each row when (new.status = 'paid' and current_setting('florin.restoring', true) is distinct from 'yes')
  execute function note_sale();
create constraint trigger invoices_sales after update on invoices deferrable initially deferred
  for each row when (old.paid_at is distinct from new.paid_at) execute function note_sale();

-- New subscribers by when they began to pay, and the renewals of the next weeks.
create index subscriptions_begun on subscriptions (merchant_id, coalesce(trial_ends_at, created_at)) where period_index >= 0;

-- Whose days reports and the dashboard show.
alter table merchants add column time_zone text not null default 'UTC' check (char_length(time_zone) between 1 and 64);
