-- What the migrations make, for reading and for review. Written by `npm run schema`.

CREATE OR REPLACE FUNCTION public.chain_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  head record;
  last record;
begin
  select sequence, hash into head from audit_heads where merchant_id = new.merchant_id for no key update;
  if not found then
    insert into audit_heads (merchant_id) values (new.merchant_id) on conflict do nothing;
    select sequence, hash into head from audit_heads where merchant_id = new.merchant_id for no key update;
  end if;
  select sequence, hash into last from audit_entries
   where merchant_id = new.merchant_id order by sequence desc limit 1;
  if last.sequence > head.sequence then
    head := last;
  end if;
  new.sequence := head.sequence + 1;
  new.hash := sha256(head.hash || convert_to(jsonb_build_array(
    new.merchant_id, new.id, new.actor, new.action, new.target_id, new.detail,
    to_char(new.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'))::text, 'UTF8'));
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.move_audit_heads()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update audit_heads h set sequence = a.sequence, hash = a.hash
    from (select distinct on (merchant_id) merchant_id, sequence, hash from added
           order by merchant_id, sequence desc) a
   where h.merchant_id = a.merchant_id and a.sequence > h.sequence;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_completed_session()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into revenue_entries (merchant_id, project_id, source_id, quarter, completed_count)
  values (new.merchant_id, new.project_id, new.id, quarter_of(new.created_at),
          case new.status when 'complete' then 1 else -1 end);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_opened_sessions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into revenue_entries (merchant_id, project_id, source_id, quarter, opened_count)
  select merchant_id, project_id, id, quarter_of(created_at), 1 from added where origin <> 'renewal';
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.note_refund()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into revenue_entries (merchant_id, project_id, source_id, customer_id, quarter, refunds_count, refunded_cents)
  select new.merchant_id, coalesce(s.project_id, '00000000-0000-0000-0000-000000000000'), new.id, s.customer_id,
         quarter_of(new.succeeded_at), 1, new.amount_cents
    from payment_intents i
    left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
   where i.merchant_id = new.merchant_id and i.id = new.payment_intent_id and i.status = 'succeeded';
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_sale()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  was_paid timestamptz;
begin
  if tg_op = 'UPDATE' then
    was_paid := old.paid_at;
  end if;
  insert into revenue_entries (merchant_id, project_id, source_id, product_id, quarter, payments_count, gross_cents)
  select new.merchant_id, new.project_id, new.id, p.product_id, quarter_of(v.at), v.sign * sold.quantity,
         v.sign * sold.net_cents
    from (values (was_paid, -1), (new.paid_at, 1)) as v(at, sign)
   cross join jsonb_array_elements(new.lines) as line
   cross join lateral sold_by_line(line) as sold
    join prices p on p.merchant_id = new.merchant_id and p.id = (line ->> 'priceId')::uuid
   where v.at is not null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.number_dispatched()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform number_events(array_agg(merchant_id), array_agg(event_id)) from dispatched having count(*) > 0;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.number_events(merchants uuid[], ids uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into event_counters (merchant_id, last_position)
  select distinct m, 0 from unnest(merchants) as m order by m on conflict do nothing;
  perform from event_counters where merchant_id = any(merchants) order by merchant_id for no key update;
  -- Only now: this statement sees what those who held the counters before have numbered.
  with unnumbered as (
    select e.merchant_id, e.id, row_number() over (partition by e.merchant_id order by e.ordinal) as place
      from unnest(merchants, ids) as wanted (merchant_id, id) join events e using (merchant_id, id)
     where not exists (select from event_positions p where p.merchant_id = e.merchant_id and p.event_id = e.id)
  ), numbered as (
    insert into event_positions (merchant_id, position, event_id)
    select u.merchant_id, c.last_position + u.place, u.id from unnumbered u join event_counters c using (merchant_id)
    returning merchant_id, position
  )
  update event_counters c set last_position = n.position
    from (select merchant_id, max(position) as position from numbered group by merchant_id) as n
   where c.merchant_id = n.merchant_id;
end
$function$;

CREATE OR REPLACE FUNCTION public.quarter_of(at timestamp with time zone)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ select date_bin('15 minutes', at, timestamptz '2000-01-01 00:00Z') $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% only grows: % refused', tg_table_name, lower(tg_op);
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change_but_erasure()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change_but_reset()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' and current_setting('florin.resetting_sandbox', true) = 'yes'
     and exists (select from installation where network = 'sandbox') then
    return null;
  end if;
  raise exception '% only grows: % refused', tg_table_name, lower(tg_op);
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_closed_merchant()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.sold_by_line(line jsonb, OUT quantity bigint, OUT net_cents numeric)
 RETURNS record
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case when (line ->> 'amountCents')::numeric < 0 then 0 else (line ->> 'quantity')::bigint end,
         (line ->> 'amountCents')::numeric - coalesce((line ->> 'discountCents')::numeric, 0)
           - case line -> 'tax' ->> 'behavior' when 'inclusive' then (line ->> 'taxCents')::numeric else 0 end
$function$;

CREATE OR REPLACE FUNCTION public.spread_revenue()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changes revenue_totals[];
begin
  if tg_op = 'INSERT' then
    changes := array(select t from added t where t.span = 'quarter');
  else
    changes := array(
      select (a.merchant_id, a.project_id, a.kind, a.span, a.starts_at, a.subject_id,
              a.payments_count - b.payments_count, a.gross_cents - b.gross_cents, a.refunds_count - b.refunds_count,
              a.refunded_cents - b.refunded_cents, a.opened_count - b.opened_count,
              a.completed_count - b.completed_count)::revenue_totals
        from after a join before b using (merchant_id, project_id, kind, span, starts_at, subject_id)
       where a.span = 'quarter');
  end if;
  insert into revenue_totals as t (merchant_id, project_id, kind, span, starts_at, subject_id, payments_count, gross_cents,
                                   refunds_count, refunded_cents, opened_count, completed_count)
  select c.merchant_id, w.project_id, c.kind, w.span, w.starts_at, c.subject_id, sum(c.payments_count),
         sum(c.gross_cents), sum(c.refunds_count), sum(c.refunded_cents), sum(c.opened_count), sum(c.completed_count)
    from unnest(changes) c cross join lateral wider_totals(c.project_id, c.starts_at) w
   where c.kind = 'all'
   group by 1, 2, 3, 4, 5, 6
   order by 1, 2, 3, 4, 5, 6
  on conflict (merchant_id, project_id, kind, span, starts_at, subject_id) do update
    set payments_count = t.payments_count + excluded.payments_count, gross_cents = t.gross_cents + excluded.gross_cents,
        refunds_count = t.refunds_count + excluded.refunds_count,
        refunded_cents = t.refunded_cents + excluded.refunded_cents,
        opened_count = t.opened_count + excluded.opened_count,
        completed_count = t.completed_count + excluded.completed_count;
  insert into revenue_standings as s (merchant_id, project_id, range, kind, subject_id, net_cents, payments_count)
  select c.merchant_id, c.project_id, r.range, c.kind, c.subject_id, sum(c.gross_cents - c.refunded_cents),
         sum(c.payments_count)
    from unnest(changes) c
    join revenue_ranges r on r.merchant_id = c.merchant_id and r.project_id = c.project_id and c.starts_at >= r.since
   where c.kind <> 'all'
   group by 1, 2, 3, 4, 5
   order by 1, 2, 3, 4, 5
  on conflict (merchant_id, project_id, range, kind, subject_id) do update
    set net_cents = s.net_cents + excluded.net_cents, payments_count = s.payments_count + excluded.payments_count;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.wider_totals(project uuid, quarter timestamp with time zone)
 RETURNS TABLE(project_id uuid, span text, starts_at timestamp with time zone)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select p.project_id, s.span, s.starts_at
    from (values (project), ('ffffffff-ffff-ffff-ffff-ffffffffffff')) as p(project_id)
   cross join (values ('quarter', quarter), ('hour', date_trunc('hour', quarter, 'UTC')),
                      ('day', date_trunc('day', quarter, 'UTC')),
                      ('month', date_trunc('month', quarter, 'UTC'))) as s(span, starts_at)
   where (p.project_id, s.span) <> (project, 'quarter')
$function$;

create sequence events_ordinal_seq as bigint start 1 increment 1 minvalue 1 maxvalue 9223372036854775807;

create table account_sweep (
  only_row boolean default true not null,
  holder uuid,
  held_until timestamp with time zone,
  through_slot bigint,
  through_at timestamp with time zone,
  constraint account_sweep_pkey PRIMARY KEY (only_row),
  constraint account_sweep_check CHECK ((holder IS NULL) = (held_until IS NULL)),
  constraint account_sweep_check1 CHECK ((through_slot IS NULL) = (through_at IS NULL)),
  constraint account_sweep_only_row_check CHECK (only_row)
);

create table api_keys (
  merchant_id uuid not null,
  id uuid not null,
  name text,
  hash bytea not null,
  prefix text not null,
  scopes text[] not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  allowed_addresses text[],
  created_at timestamp with time zone not null,
  address_refused_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (merchant_id, id),
  constraint api_keys_allowed_addresses_check CHECK (cardinality(allowed_addresses) >= 1 AND cardinality(allowed_addresses) <= 20),
  constraint api_keys_hash_check CHECK (octet_length(hash) = 32),
  constraint api_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint api_keys_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255),
  constraint api_keys_scopes_check CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY['billing:read'::text, 'billing:write'::text, 'payments:read'::text, 'payments:write'::text])
);
CREATE UNIQUE INDEX api_keys_by_hash ON api_keys USING btree (hash);

create table audit_entries (
  merchant_id uuid not null,
  id uuid not null,
  actor text not null,
  action text not null,
  target_id uuid,
  detail jsonb default '{}'::jsonb not null,
  sequence bigint not null,
  hash bytea not null,
  created_at timestamp with time zone not null,
  constraint audit_entries_pkey PRIMARY KEY (merchant_id, id),
  constraint audit_entries_head_fkey FOREIGN KEY (merchant_id) REFERENCES audit_heads(merchant_id),
  constraint audit_entries_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint audit_entries_sequence_check CHECK (sequence > 0)
);
CREATE UNIQUE INDEX audit_entries_by_sequence ON audit_entries USING btree (merchant_id, sequence);
CREATE TRIGGER audit_entries_chain BEFORE INSERT ON audit_entries FOR EACH ROW WHEN (new.sequence IS NULL) EXECUTE FUNCTION chain_audit_entry();
CREATE TRIGGER audit_entries_head AFTER INSERT ON audit_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION move_audit_heads();
CREATE TRIGGER audit_entries_only_grow BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_of_open_merchants AFTER INSERT ON audit_entries REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_merchant();

create table audit_heads (
  merchant_id uuid not null,
  sequence bigint default 0 not null,
  hash bytea default '\x'::bytea not null,
  constraint audit_heads_pkey PRIMARY KEY (merchant_id)
);
CREATE TRIGGER audit_heads_stay BEFORE DELETE OR TRUNCATE ON audit_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table balances (
  merchant_id uuid not null,
  customer_id uuid not null,
  credits numeric(38,0) default 0 not null,
  cents numeric(38,0) default 0 not null,
  sequence integer default 0 not null,
  constraint balances_pkey PRIMARY KEY (merchant_id, customer_id),
  constraint balances_cents_check CHECK (cents >= 0::numeric),
  constraint balances_credits_check CHECK (credits >= 0::numeric),
  constraint balances_merchant_id_customer_id_fkey FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id)
);

create table checkout_sessions (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  mode text not null,
  origin text not null,
  status text default 'open'::text not null,
  payment_status text default 'unpaid'::text not null,
  price_id uuid,
  amount_cents bigint not null,
  tip_percents integer[] default '{}'::integer[] not null,
  tip_cents bigint default 0 not null,
  currency text default 'USD'::text not null,
  credit_amount bigint,
  trial_days integer,
  allow_promotion_codes boolean default false not null,
  customer_id uuid,
  external_customer_id text,
  customer_email text,
  customer_name text,
  merchant_reference text,
  client_reference_id text,
  metadata jsonb default '{}'::jsonb not null,
  payment_link_id uuid,
  payment_intent_id uuid not null,
  subscription_id uuid,
  token text not null,
  checkout_url text not null,
  success_url text,
  cancel_url text,
  volume_month date,
  volume_cents bigint,
  sequence integer default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  unapplied_at timestamp with time zone,
  constraint checkout_sessions_pkey PRIMARY KEY (merchant_id, id),
  constraint checkout_sessions_amount_cents_check CHECK (amount_cents >= 0),
  constraint checkout_sessions_buyer_check CHECK (mode = 'one_time'::text OR customer_id IS NOT NULL AND (mode <> 'subscription'::text OR subscription_id IS NOT NULL) OR origin = 'link'::text AND (payment_status = ANY (ARRAY['unpaid'::text, 'processing'::text]))),
  constraint checkout_sessions_cancel_url_check CHECK (char_length(cancel_url) <= 2048),
  constraint checkout_sessions_check CHECK (expires_at > created_at),
  constraint checkout_sessions_check1 CHECK ((status = 'complete'::text) = (payment_status = 'paid'::text)),
  constraint checkout_sessions_check2 CHECK ((status = 'complete'::text) = (completed_at IS NOT NULL)),
  constraint checkout_sessions_check3 CHECK ((mode = 'balance_top_up'::text) = (credit_amount IS NOT NULL)),
  constraint checkout_sessions_client_reference_id_check CHECK (char_length(client_reference_id) >= 1 AND char_length(client_reference_id) <= 200),
  constraint checkout_sessions_credit_amount_check CHECK (credit_amount > 0),
  constraint checkout_sessions_currency_check CHECK (currency = 'USD'::text),
  constraint checkout_sessions_link_check CHECK (payment_link_id IS NULL OR origin = 'link'::text),
  constraint checkout_sessions_merchant_id_payment_intent_id_fkey FOREIGN KEY (merchant_id, payment_intent_id) REFERENCES payment_intents(merchant_id, id),
  constraint checkout_sessions_merchant_id_project_id_customer_id_fkey FOREIGN KEY (merchant_id, project_id, customer_id) REFERENCES customers(merchant_id, project_id, id),
  constraint checkout_sessions_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id),
  constraint checkout_sessions_merchant_id_project_id_id_key UNIQUE (merchant_id, project_id, id),
  constraint checkout_sessions_merchant_id_project_id_payment_link_id_fkey FOREIGN KEY (merchant_id, project_id, payment_link_id) REFERENCES payment_links(merchant_id, project_id, id),
  constraint checkout_sessions_merchant_id_project_id_price_id_fkey FOREIGN KEY (merchant_id, project_id, price_id) REFERENCES prices(merchant_id, project_id, id),
  constraint checkout_sessions_merchant_id_project_id_subscription_id_fkey FOREIGN KEY (merchant_id, project_id, subscription_id) REFERENCES subscriptions(merchant_id, project_id, id),
  constraint checkout_sessions_merchant_reference_check CHECK (char_length(merchant_reference) >= 1 AND char_length(merchant_reference) <= 255),
  constraint checkout_sessions_metadata_check CHECK (jsonb_typeof(metadata) = 'object'::text AND octet_length(metadata::text) <= 131072),
  constraint checkout_sessions_mode_check CHECK (mode = ANY (ARRAY['one_time'::text, 'balance_top_up'::text, 'subscription'::text])),
  constraint checkout_sessions_origin_check CHECK (origin = ANY (ARRAY['key'::text, 'link'::text, 'renewal'::text])),
  constraint checkout_sessions_payment_status_check CHECK (payment_status = ANY (ARRAY['unpaid'::text, 'processing'::text, 'underpaid'::text, 'paid'::text])),
  constraint checkout_sessions_status_check CHECK (status = ANY (ARRAY['open'::text, 'complete'::text, 'expired'::text, 'canceled'::text])),
  constraint checkout_sessions_subscription_check CHECK (mode = 'subscription'::text OR subscription_id IS NULL),
  constraint checkout_sessions_success_url_check CHECK (char_length(success_url) <= 2048),
  constraint checkout_sessions_tip_check CHECK (cardinality(tip_percents) <= 4 AND tip_cents >= 0 AND (tip_cents = 0 OR tip_percents <> '{}'::integer[])),
  constraint checkout_sessions_trial_days_check CHECK (trial_days >= 1 AND trial_days <= 730),
  constraint checkout_sessions_volume_cents_check CHECK (volume_cents IS NULL OR volume_cents > 0 AND volume_month IS NOT NULL)
);
CREATE INDEX checkout_sessions_abandoned ON checkout_sessions USING btree (expires_at, id) WHERE origin = 'link'::text AND payment_status = 'unpaid'::text AND (status = ANY (ARRAY['expired'::text, 'canceled'::text]));
CREATE INDEX checkout_sessions_by_address ON checkout_sessions USING btree (merchant_id, lower(customer_email COLLATE "C"), id) WHERE customer_email IS NOT NULL;
CREATE INDEX checkout_sessions_by_client_reference ON checkout_sessions USING btree (merchant_id, client_reference_id, id) WHERE client_reference_id IS NOT NULL;
CREATE INDEX checkout_sessions_by_customer ON checkout_sessions USING btree (merchant_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX checkout_sessions_by_external_customer ON checkout_sessions USING btree (merchant_id, external_customer_id, id) WHERE external_customer_id IS NOT NULL;
CREATE INDEX checkout_sessions_by_goods ON checkout_sessions USING btree (merchant_id, (amount_cents - tip_cents), payment_intent_id) WHERE tip_cents > 0;
CREATE UNIQUE INDEX checkout_sessions_by_intent ON checkout_sessions USING btree (merchant_id, payment_intent_id);
CREATE INDEX checkout_sessions_by_merchant_reference ON checkout_sessions USING btree (merchant_id, merchant_reference, id) WHERE merchant_reference IS NOT NULL;
CREATE INDEX checkout_sessions_by_metadata ON checkout_sessions USING gin (jsonb_set('{}'::jsonb, ARRAY[merchant_id::text], metadata) jsonb_path_ops) WHERE metadata <> '{}'::jsonb;
CREATE INDEX checkout_sessions_by_project_intent ON checkout_sessions USING btree (merchant_id, project_id, payment_intent_id);
CREATE INDEX checkout_sessions_by_project_status ON checkout_sessions USING btree (merchant_id, project_id, status, id);
CREATE INDEX checkout_sessions_by_status ON checkout_sessions USING btree (merchant_id, status, id);
CREATE INDEX checkout_sessions_by_subscription ON checkout_sessions USING btree (merchant_id, subscription_id, id) WHERE subscription_id IS NOT NULL;
CREATE UNIQUE INDEX checkout_sessions_by_token ON checkout_sessions USING btree (token);
CREATE INDEX checkout_sessions_dead ON checkout_sessions USING btree (expires_at) WHERE status = 'canceled'::text AND payment_status <> 'unpaid'::text AND unapplied_at IS NULL;
CREATE INDEX checkout_sessions_due ON checkout_sessions USING btree (expires_at) WHERE status = 'open'::text;
CREATE INDEX checkout_sessions_left_over ON checkout_sessions USING btree (expires_at) WHERE status = 'expired'::text AND payment_status = 'underpaid'::text AND unapplied_at IS NULL;
CREATE INDEX checkout_sessions_of_links ON checkout_sessions USING btree (merchant_id, payment_link_id, id) WHERE status = 'open'::text;
CREATE INDEX checkout_sessions_under_way ON checkout_sessions USING btree (merchant_id, id) WHERE payment_status = ANY (ARRAY['processing'::text, 'underpaid'::text]);
CREATE INDEX checkout_sessions_volume ON checkout_sessions USING btree (merchant_id, project_id, volume_month) WHERE volume_month IS NOT NULL;
CREATE CONSTRAINT TRIGGER checkout_sessions_completed AFTER UPDATE ON checkout_sessions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.origin <> 'renewal'::text AND (old.status = 'complete'::text) <> (new.status = 'complete'::text)) EXECUTE FUNCTION note_completed_session();
CREATE TRIGGER checkout_sessions_opened AFTER INSERT ON checkout_sessions REFERENCING NEW TABLE AS added FOR EACH STATEMENT WHEN (current_setting('florin.restoring'::text, true) IS DISTINCT FROM 'yes'::text) EXECUTE FUNCTION note_opened_sessions();

create table credit_notes (
  merchant_id uuid not null,
  id uuid not null,
  number bigint not null,
  refund_id uuid not null,
  project_id uuid,
  customer_id uuid,
  invoice_id uuid,
  amount_cents bigint not null,
  tax jsonb,
  tax_cents bigint default 0 not null,
  shares jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone not null,
  constraint credit_notes_pkey PRIMARY KEY (merchant_id, id),
  constraint credit_notes_amount_cents_check CHECK (amount_cents > 0),
  constraint credit_notes_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint credit_notes_merchant_id_number_key UNIQUE (merchant_id, number),
  constraint credit_notes_merchant_id_project_id_customer_id_fkey FOREIGN KEY (merchant_id, project_id, customer_id) REFERENCES customers(merchant_id, project_id, id),
  constraint credit_notes_merchant_id_project_id_invoice_id_fkey FOREIGN KEY (merchant_id, project_id, invoice_id) REFERENCES invoices(merchant_id, project_id, id),
  constraint credit_notes_merchant_id_refund_id_fkey FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds(merchant_id, id),
  constraint credit_notes_merchant_id_refund_id_key UNIQUE (merchant_id, refund_id),
  constraint credit_notes_number_check CHECK (number > 0),
  constraint credit_notes_shares_check CHECK (jsonb_typeof(shares) = 'array'::text),
  constraint credit_notes_tax_check CHECK (tax IS NOT NULL OR tax_cents = 0 AND shares = '[]'::jsonb)
);
CREATE INDEX credit_notes_by_customer ON credit_notes USING btree (merchant_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX credit_notes_by_invoice ON credit_notes USING btree (merchant_id, invoice_id, id) WHERE invoice_id IS NOT NULL;
CREATE INDEX credit_notes_by_project ON credit_notes USING btree (merchant_id, project_id, id) WHERE project_id IS NOT NULL;
CREATE INDEX credit_notes_taxed ON credit_notes USING btree (merchant_id, project_id, created_at) WHERE tax IS NOT NULL;
CREATE TRIGGER credit_notes_only_grow BEFORE DELETE OR TRUNCATE ON credit_notes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_but_reset();
CREATE TRIGGER credit_notes_stay BEFORE UPDATE ON credit_notes FOR EACH ROW EXECUTE FUNCTION refuse_change_but_erasure();

create table credit_token_revocations (
  merchant_id uuid not null,
  customer_id uuid not null,
  generation integer not null,
  revoked_at timestamp with time zone not null,
  constraint credit_token_revocations_pkey PRIMARY KEY (merchant_id, customer_id),
  constraint credit_token_revocations_generation_check CHECK (generation >= 1),
  constraint credit_token_revocations_merchant_id_customer_id_fkey FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id)
);

create table customer_erasures (
  merchant_id uuid not null,
  customer_id uuid not null,
  project_id uuid not null,
  discarded_credits numeric(38,0) not null,
  discarded_cents numeric(38,0) not null,
  stage text not null,
  after_id uuid,
  after_event_object_id uuid,
  after_event_sequence integer,
  after_operation text,
  after_key text,
  done bigint default 0 not null,
  total bigint,
  created_at timestamp with time zone not null,
  advanced_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  constraint customer_erasures_pkey PRIMARY KEY (merchant_id, customer_id),
  constraint customer_erasures_check CHECK (total >= done),
  constraint customer_erasures_check1 CHECK ((stage = 'finished'::text) = (finished_at IS NOT NULL)),
  constraint customer_erasures_check2 CHECK (finished_at IS NULL OR num_nonnulls(after_id, after_event_object_id, after_operation, after_key) = 0),
  constraint customer_erasures_check3 CHECK ((after_event_object_id IS NULL) = (after_event_sequence IS NULL)),
  constraint customer_erasures_check4 CHECK ((after_operation IS NULL) = (after_key IS NULL)),
  constraint customer_erasures_discarded_cents_check CHECK (discarded_cents >= 0::numeric),
  constraint customer_erasures_discarded_credits_check CHECK (discarded_credits >= 0::numeric),
  constraint customer_erasures_done_check CHECK (done >= 0),
  constraint customer_erasures_merchant_id_project_id_customer_id_fkey FOREIGN KEY (merchant_id, project_id, customer_id) REFERENCES customers(merchant_id, project_id, id),
  constraint customer_erasures_stage_check CHECK (stage = ANY (ARRAY['checkout_sessions'::text, 'subscriptions'::text, 'invoices'::text, 'refunds'::text, 'postings'::text, 'usage_records'::text, 'customer'::text, 'idempotency_keys'::text, 'finished'::text]))
);
CREATE INDEX customer_erasures_due ON customer_erasures USING btree (advanced_at) WHERE finished_at IS NULL;

create table customers (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  external_customer_id text collate "C",
  email text,
  email_source text,
  name text,
  language text,
  address jsonb,
  country text,
  is_business boolean default false not null,
  tax_ids jsonb default '[]'::jsonb not null,
  metadata jsonb default '{}'::jsonb not null,
  merged_into_id uuid,
  created_at timestamp with time zone not null,
  erased_at timestamp with time zone,
  constraint customers_pkey PRIMARY KEY (merchant_id, id),
  constraint customers_country_check CHECK (country ~ '^[A-Z]{2}$'::text),
  constraint customers_email_check CHECK (char_length(email) >= 1 AND char_length(email) <= 254),
  constraint customers_email_source_check CHECK (email_source = ANY (ARRAY['merchant'::text, 'mailbox'::text, 'typed'::text])),
  constraint customers_email_sourced_check CHECK ((email IS NULL) = (email_source IS NULL)),
  constraint customers_erased_check CHECK (erased_at IS NULL OR num_nonnulls(external_customer_id, email, name, language, address, country) = 0 AND NOT is_business AND metadata = '{}'::jsonb AND tax_ids = '[]'::jsonb),
  constraint customers_external_customer_id_check CHECK (char_length(external_customer_id) >= 1 AND char_length(external_customer_id) <= 255),
  constraint customers_language_check CHECK (char_length(language) >= 2 AND char_length(language) <= 35),
  constraint customers_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id),
  constraint customers_merchant_id_project_id_id_key UNIQUE (merchant_id, project_id, id),
  constraint customers_merged_check CHECK (merged_into_id <> id),
  constraint customers_merged_into_fkey FOREIGN KEY (merchant_id, project_id, merged_into_id) REFERENCES customers(merchant_id, project_id, id) DEFERRABLE,
  constraint customers_metadata_check CHECK (jsonb_typeof(metadata) = 'object'::text AND octet_length(metadata::text) <= 131072),
  constraint customers_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255)
);
CREATE INDEX customers_by_address ON customers USING btree (merchant_id, lower(email COLLATE "C"), id) WHERE email IS NOT NULL;
CREATE INDEX customers_by_any_external_id ON customers USING btree (merchant_id, external_customer_id, id) WHERE external_customer_id IS NOT NULL;
CREATE UNIQUE INDEX customers_by_external_id ON customers USING btree (merchant_id, project_id, external_customer_id);
CREATE INDEX customers_by_last_name ON customers USING btree (merchant_id, lower("substring"(name, '\S+$'::text)) COLLATE "C", id) WHERE name IS NOT NULL;
CREATE INDEX customers_by_merged_into ON customers USING btree (merchant_id, merged_into_id, id) WHERE merged_into_id IS NOT NULL;
CREATE INDEX customers_by_metadata ON customers USING gin (jsonb_set('{}'::jsonb, ARRAY[merchant_id::text], metadata) jsonb_path_ops) WHERE metadata <> '{}'::jsonb;
CREATE INDEX customers_by_name ON customers USING btree (merchant_id, lower(name) COLLATE "C", id) WHERE name IS NOT NULL;

create table dashboard_sessions (
  merchant_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  token_hash bytea not null,
  method text not null,
  address text not null,
  user_agent text,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  confirmed_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint dashboard_sessions_pkey PRIMARY KEY (merchant_id, id),
  constraint dashboard_sessions_check CHECK (expires_at > created_at),
  constraint dashboard_sessions_merchant_id_member_id_fkey FOREIGN KEY (merchant_id, member_id) REFERENCES members(merchant_id, id),
  constraint dashboard_sessions_method_check CHECK (method = ANY (ARRAY['password'::text, 'passkey'::text, 'link'::text])),
  constraint dashboard_sessions_token_hash_check CHECK (octet_length(token_hash) = 32),
  constraint dashboard_sessions_user_agent_check CHECK (char_length(user_agent) <= 255)
);
CREATE INDEX dashboard_sessions_by_member ON dashboard_sessions USING btree (merchant_id, member_id);
CREATE UNIQUE INDEX dashboard_sessions_by_token ON dashboard_sessions USING btree (token_hash);
CREATE INDEX dashboard_sessions_old ON dashboard_sessions USING btree (expires_at);

create table discount_redemptions (
  merchant_id uuid not null,
  session_id uuid not null,
  discount_id uuid not null,
  customer_id uuid,
  email text,
  is_typed boolean not null,
  held_until timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint discount_redemptions_pkey PRIMARY KEY (merchant_id, session_id),
  constraint discount_redemptions_email_check CHECK (char_length(email) <= 254),
  constraint discount_redemptions_merchant_id_discount_id_fkey FOREIGN KEY (merchant_id, discount_id) REFERENCES discounts(merchant_id, id),
  constraint discount_redemptions_merchant_id_session_id_fkey FOREIGN KEY (merchant_id, session_id) REFERENCES checkout_sessions(merchant_id, id)
);
CREATE INDEX discount_redemptions_by_customer ON discount_redemptions USING btree (merchant_id, discount_id, customer_id);
CREATE INDEX discount_redemptions_by_email ON discount_redemptions USING btree (merchant_id, discount_id, email);
CREATE INDEX discount_redemptions_held ON discount_redemptions USING btree (held_until) WHERE held_until IS NOT NULL;

create table discounts (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  percent_off_bps integer,
  amount_off_cents bigint,
  duration text not null,
  duration_periods integer,
  product_ids uuid[],
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  max_redemptions integer,
  max_per_customer integer,
  redemptions_count integer default 0 not null,
  is_active boolean default true not null,
  created_at timestamp with time zone not null,
  constraint discounts_pkey PRIMARY KEY (merchant_id, id),
  constraint discounts_amount_off_cents_check CHECK (amount_off_cents > 0),
  constraint discounts_duration_check CHECK (duration = ANY (ARRAY['once'::text, 'periods'::text, 'forever'::text])),
  constraint discounts_duration_periods_check CHECK (duration_periods > 0),
  constraint discounts_kind_check CHECK ((percent_off_bps IS NULL) <> (amount_off_cents IS NULL)),
  constraint discounts_max_per_customer_check CHECK (max_per_customer > 0),
  constraint discounts_max_redemptions_check CHECK (max_redemptions > 0),
  constraint discounts_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id),
  constraint discounts_merchant_id_project_id_id_key UNIQUE (merchant_id, project_id, id),
  constraint discounts_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255),
  constraint discounts_percent_off_bps_check CHECK (percent_off_bps >= 1 AND percent_off_bps <= 10000),
  constraint discounts_periods_check CHECK ((duration = 'periods'::text) = (duration_periods IS NOT NULL)),
  constraint discounts_redemptions_check CHECK (redemptions_count <= max_redemptions),
  constraint discounts_redemptions_count_check CHECK (redemptions_count >= 0),
  constraint discounts_times_check CHECK (ends_at > starts_at)
);

create table emails (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  project_id uuid,
  customer_id uuid,
  member_id uuid,
  invoice_id uuid,
  refund_id uuid,
  subscription_id uuid,
  number integer not null,
  facts jsonb not null,
  sealed_link bytea,
  status text default 'pending'::text not null,
  attempt_count smallint default 0 not null,
  error text,
  next_attempt_at timestamp with time zone,
  lease_id uuid,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  constraint emails_pkey PRIMARY KEY (merchant_id, id),
  constraint emails_attempt_count_check CHECK (attempt_count >= 0 AND attempt_count <= 9),
  constraint emails_check CHECK ((status = ANY (ARRAY['pending'::text, 'retrying'::text])) = (next_attempt_at IS NOT NULL)),
  constraint emails_check1 CHECK ((status = 'pending'::text) = (attempt_count = 0)),
  constraint emails_check2 CHECK ((status = 'sent'::text) = (sent_at IS NOT NULL)),
  constraint emails_check3 CHECK (status <> 'dead'::text OR error IS NOT NULL),
  constraint emails_check4 CHECK ((lease_id IS NULL) = (lease_until IS NULL)),
  constraint emails_check5 CHECK (lease_id IS NULL OR next_attempt_at IS NOT NULL),
  constraint emails_error_check CHECK (char_length(error) <= 500),
  constraint emails_facts_check CHECK (jsonb_typeof(facts) = 'object'::text),
  constraint emails_keep_no_claim_link CHECK (next_attempt_at IS NOT NULL OR sealed_link IS NULL AND NOT facts ? 'claimUrl'::text),
  constraint emails_kind_check CHECK (kind = ANY (ARRAY['renewal'::text, 'reminder'::text, 'past_due'::text, 'canceled'::text, 'receipt'::text, 'trial_started'::text, 'trial_ending'::text, 'trial_reminder'::text, 'invoice'::text, 'invoice_reminder'::text, 'invoice_overdue'::text, 'rest_reminder'::text, 'payout_address_changed'::text, 'payout_delay_changed'::text, 'webhook_url_changed'::text, 'secrets_replaced'::text, 'sponsor_low'::text, 'refund_claim'::text, 'refund_sent'::text, 'plan_changed'::text, 'plan_change_planned'::text, 'plan_change_to_pay'::text, 'plan_change_withdrawn'::text, 'cancellation_set'::text, 'subscription_ended'::text, 'cancellation_undone'::text, 'portal_sign_in'::text, 'email_confirmation'::text, 'email_change'::text, 'trial_confirmation'::text])),
  constraint emails_merchant_id_kind_invoice_id_number_key UNIQUE (merchant_id, kind, invoice_id, number),
  constraint emails_merchant_id_member_id_fkey FOREIGN KEY (merchant_id, member_id) REFERENCES members(merchant_id, id),
  constraint emails_merchant_id_project_id_customer_id_fkey FOREIGN KEY (merchant_id, project_id, customer_id) REFERENCES customers(merchant_id, project_id, id),
  constraint emails_merchant_id_project_id_invoice_id_fkey FOREIGN KEY (merchant_id, project_id, invoice_id) REFERENCES invoices(merchant_id, project_id, id) DEFERRABLE,
  constraint emails_merchant_id_refund_id_fkey FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds(merchant_id, id) DEFERRABLE,
  constraint emails_merchant_id_subscription_id_fkey FOREIGN KEY (merchant_id, subscription_id) REFERENCES subscriptions(merchant_id, id) DEFERRABLE,
  constraint emails_number_check CHECK (number > 0),
  constraint emails_status_check CHECK (status = ANY (ARRAY['pending'::text, 'retrying'::text, 'sent'::text, 'dead'::text])),
  constraint emails_to_somebody CHECK (
CASE
    WHEN kind = ANY (ARRAY['payout_address_changed'::text, 'payout_delay_changed'::text, 'webhook_url_changed'::text, 'secrets_replaced'::text, 'sponsor_low'::text]) THEN member_id IS NOT NULL AND num_nonnulls(project_id, customer_id, invoice_id, refund_id, subscription_id) = 0
    WHEN kind = ANY (ARRAY['refund_claim'::text, 'refund_sent'::text]) THEN num_nonnulls(member_id, invoice_id, subscription_id) = 0 AND num_nonnulls(project_id, customer_id, refund_id) = 3
    WHEN kind = ANY (ARRAY['plan_changed'::text, 'plan_change_planned'::text, 'plan_change_to_pay'::text, 'plan_change_withdrawn'::text, 'cancellation_set'::text, 'subscription_ended'::text, 'cancellation_undone'::text]) THEN num_nonnulls(member_id, invoice_id, refund_id) = 0 AND num_nonnulls(project_id, customer_id, subscription_id) = 3
    WHEN kind = ANY (ARRAY['portal_sign_in'::text, 'email_confirmation'::text, 'email_change'::text]) THEN num_nonnulls(member_id, invoice_id, refund_id, subscription_id) = 0 AND num_nonnulls(project_id, customer_id) = 2 AND (kind = 'portal_sign_in'::text OR (facts ->> 'mailbox'::text) IS NOT NULL)
    WHEN kind = 'trial_confirmation'::text THEN num_nonnulls(member_id, customer_id, invoice_id, refund_id, subscription_id) = 0 AND project_id IS NOT NULL AND (next_attempt_at IS NOT NULL) = ((facts ->> 'mailbox'::text) IS NOT NULL)
    ELSE num_nonnulls(member_id, refund_id, subscription_id) = 0 AND num_nonnulls(project_id, customer_id, invoice_id) = 3
END)
) with (fillfactor=70);
CREATE INDEX emails_by_age ON emails USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX emails_by_invoice ON emails USING btree (merchant_id, invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX emails_due ON emails USING btree (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE UNIQUE INDEX emails_of_change_once ON emails USING btree (merchant_id, subscription_id, kind, number) WHERE subscription_id IS NOT NULL;
CREATE INDEX emails_of_portal ON emails USING btree (merchant_id, customer_id) WHERE kind = ANY (ARRAY['portal_sign_in'::text, 'email_confirmation'::text, 'email_change'::text]);
CREATE UNIQUE INDEX emails_of_refund_once ON emails USING btree (merchant_id, refund_id, kind) WHERE refund_id IS NOT NULL;
CREATE INDEX emails_of_sign_ins ON emails USING btree (merchant_id, customer_id) WHERE kind = 'portal_sign_in'::text;

create table event_counters (
  merchant_id uuid not null,
  last_position bigint not null,
  pruned_position bigint default 0 not null,
  looked_through uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  looking_since timestamp with time zone default now() not null,
  constraint event_counters_pkey PRIMARY KEY (merchant_id),
  constraint event_counters_last_position_check CHECK (last_position >= 0),
  constraint event_counters_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table event_positions (
  merchant_id uuid not null,
  "position" bigint not null,
  event_id uuid not null,
  constraint event_positions_pkey PRIMARY KEY (merchant_id, "position"),
  constraint event_positions_event_key UNIQUE (merchant_id, event_id),
  constraint event_positions_merchant_id_event_id_fkey FOREIGN KEY (merchant_id, event_id) REFERENCES events(merchant_id, id) ON DELETE CASCADE DEFERRABLE,
  constraint event_positions_position_check CHECK ("position" > 0)
);

create table events (
  merchant_id uuid not null,
  id uuid not null,
  ordinal bigint generated always as identity not null,
  event text not null,
  object_type text not null,
  object_id uuid not null,
  sequence integer not null,
  status text not null,
  previous_status text,
  ordering_key uuid not null,
  body text not null,
  created_at timestamp with time zone not null,
  constraint events_pkey PRIMARY KEY (merchant_id, id),
  constraint events_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint events_sequence_check CHECK (sequence > 0)
);
CREATE UNIQUE INDEX events_by_object ON events USING btree (merchant_id, object_id, sequence);
CREATE TRIGGER events_of_open_merchants AFTER INSERT ON events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_merchant();
CREATE TRIGGER events_only_grow BEFORE UPDATE ON events FOR EACH ROW EXECUTE FUNCTION refuse_change_but_erasure();

create table exception_credits (
  merchant_id uuid not null,
  posting_id uuid not null,
  exception_id uuid not null,
  replaced_posting_id uuid,
  constraint exception_credits_pkey PRIMARY KEY (merchant_id, posting_id),
  constraint exception_credits_merchant_id_exception_id_fkey FOREIGN KEY (merchant_id, exception_id) REFERENCES payment_exceptions(merchant_id, id),
  constraint exception_credits_merchant_id_posting_id_fkey FOREIGN KEY (merchant_id, posting_id) REFERENCES postings(merchant_id, id),
  constraint exception_credits_merchant_id_replaced_posting_id_fkey FOREIGN KEY (merchant_id, replaced_posting_id) REFERENCES postings(merchant_id, id)
);

create table idempotency_keys (
  merchant_id uuid not null,
  operation text not null,
  key text not null,
  fingerprint bytea not null,
  resource_id uuid,
  status smallint,
  answer text,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (merchant_id, operation, key),
  constraint idempotency_keys_fingerprint_check CHECK (octet_length(fingerprint) = 32),
  constraint idempotency_keys_key_check CHECK (char_length(key) >= 1 AND char_length(key) <= 255),
  constraint idempotency_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');

create table incoming_transfers (
  signature text not null,
  destination text not null,
  slot bigint not null,
  block_time timestamp with time zone not null,
  received_base_units numeric(20,0) not null,
  balance_before numeric(20,0),
  balance_after numeric(20,0),
  has_failed boolean not null,
  is_final boolean not null,
  seen_at timestamp with time zone not null,
  constraint incoming_transfers_pkey PRIMARY KEY (signature, destination),
  constraint incoming_transfers_destination_fkey FOREIGN KEY (destination) REFERENCES watched_accounts(destination),
  constraint incoming_transfers_received_base_units_check CHECK (received_base_units >= 0::numeric)
);
CREATE INDEX incoming_transfers_by_slot ON incoming_transfers USING btree (destination, slot);
CREATE INDEX incoming_transfers_mentions ON incoming_transfers USING btree (destination, slot) WHERE is_final AND received_base_units = 0::numeric;
CREATE INDEX incoming_transfers_not_final ON incoming_transfers USING btree (seen_at) WHERE NOT is_final;

create table installation (
  only_row boolean default true not null,
  network text not null,
  sealed_check bytea not null,
  created_at timestamp with time zone not null,
  clock_offset_ms bigint default 0 not null,
  lineage uuid default gen_random_uuid() not null,
  former_lineages uuid[] default '{}'::uuid[] not null,
  beat bigint default 0 not null,
  beat_transaction bigint default 0 not null,
  went_back_at timestamp with time zone,
  went_back text,
  backed_up_at timestamp with time zone,
  backup_problem text,
  backup_proven_at timestamp with time zone,
  backup_proof_problem text,
  constraint installation_pkey PRIMARY KEY (only_row),
  constraint installation_beat_check CHECK (beat >= 0),
  constraint installation_clock_offset_ms_check CHECK (clock_offset_ms >= 0),
  constraint installation_network_check CHECK (network = ANY (ARRAY['sandbox'::text, 'devnet'::text, 'mainnet'::text])),
  constraint installation_only_row_check CHECK (only_row),
  constraint installation_went_back_check CHECK ((went_back_at IS NULL) = (went_back IS NULL))
);

create table invoices (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  number bigint,
  number_text text,
  customer_id uuid,
  checkout_session_id uuid,
  subscription_id uuid,
  status text default 'open'::text not null,
  billing_reason text not null,
  merchant_reference text,
  client_reference_id text,
  metadata jsonb default '{}'::jsonb not null,
  memo text,
  draft jsonb,
  currency text default 'USD'::text not null,
  lines jsonb not null,
  subtotal_cents bigint not null,
  discount jsonb,
  discount_cents bigint default 0 not null,
  tax jsonb,
  tax_cents bigint default 0 not null,
  tax_added_cents bigint default 0 not null,
  credit_applied_cents bigint default 0 not null,
  total_cents bigint not null,
  amount_paid_cents numeric(38,0) default 0 not null,
  waived_cents bigint default 0 not null,
  waived_shares jsonb default '[]'::jsonb not null,
  refunded_cents numeric(38,0) default 0 not null,
  tx_signature text,
  period_start timestamp with time zone,
  period_end timestamp with time zone,
  due_at timestamp with time zone,
  checkout_url text,
  sequence integer default 0 not null,
  created_at timestamp with time zone not null,
  opened_at timestamp with time zone,
  paid_at timestamp with time zone,
  times_sent integer default 0 not null,
  sent_at timestamp with time zone,
  next_step_at timestamp with time zone,
  steps_done smallint default 0 not null,
  times_reminded integer default 0 not null,
  reminded_at timestamp with time zone,
  constraint invoices_pkey PRIMARY KEY (merchant_id, id),
  constraint invoices_amount_paid_cents_check CHECK (amount_paid_cents >= 0::numeric),
  constraint invoices_billing_reason_check CHECK (billing_reason = ANY (ARRAY['one_time'::text, 'balance_top_up'::text, 'subscription_create'::text, 'subscription_cycle'::text, 'subscription_change'::text, 'manual'::text])),
  constraint invoices_check CHECK ((status = 'paid'::text) = (paid_at IS NOT NULL)),
  constraint invoices_check1 CHECK ((period_start IS NULL) = (period_end IS NULL)),
  constraint invoices_check2 CHECK (period_end > period_start),
  constraint invoices_credit_applied_cents_check CHECK (credit_applied_cents >= 0),
  constraint invoices_currency_check CHECK (currency = 'USD'::text),
  constraint invoices_discount_check CHECK (discount_cents >= 0 AND (discount_cents = 0 OR discount IS NOT NULL)),
  constraint invoices_draft_check CHECK ((status = 'draft'::text) = (draft IS NOT NULL) AND (status <> 'draft'::text OR billing_reason = 'manual'::text AND number IS NULL AND checkout_session_id IS NULL AND sequence = 0 AND credit_applied_cents = 0 AND amount_paid_cents = 0::numeric AND sent_at IS NULL AND next_step_at IS NULL AND opened_at IS NULL AND checkout_url IS NULL)),
  constraint invoices_lines_check CHECK (jsonb_typeof(lines) = 'array'::text),
  constraint invoices_manual_check CHECK (billing_reason <> 'manual'::text OR customer_id IS NOT NULL AND subscription_id IS NULL AND (status = 'draft'::text OR number IS NOT NULL AND checkout_session_id IS NOT NULL AND due_at IS NOT NULL AND opened_at IS NOT NULL AND checkout_url IS NOT NULL)),
  constraint invoices_memo_check CHECK (char_length(memo) >= 1 AND char_length(memo) <= 1000),
  constraint invoices_merchant_id_project_id_checkout_session_id_fkey FOREIGN KEY (merchant_id, project_id, checkout_session_id) REFERENCES checkout_sessions(merchant_id, project_id, id),
  constraint invoices_merchant_id_project_id_customer_id_fkey FOREIGN KEY (merchant_id, project_id, customer_id) REFERENCES customers(merchant_id, project_id, id),
  constraint invoices_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id),
  constraint invoices_merchant_id_project_id_id_key UNIQUE (merchant_id, project_id, id),
  constraint invoices_merchant_id_project_id_subscription_id_fkey FOREIGN KEY (merchant_id, project_id, subscription_id) REFERENCES subscriptions(merchant_id, project_id, id),
  constraint invoices_metadata_check CHECK (jsonb_typeof(metadata) = 'object'::text AND octet_length(metadata::text) <= 131072),
  constraint invoices_number_check CHECK (number > 0),
  constraint invoices_numbered_check CHECK ((number IS NULL) = (number_text IS NULL) AND (number IS NOT NULL OR status <> 'paid'::text AND amount_paid_cents = 0::numeric)),
  constraint invoices_paid_check CHECK (status <> 'paid'::text OR (amount_paid_cents + waived_cents::numeric) >= total_cents::numeric),
  constraint invoices_refunded_cents_check CHECK (refunded_cents >= 0::numeric),
  constraint invoices_reminded_check CHECK (times_reminded >= 0 AND (times_reminded > 0) = (reminded_at IS NOT NULL)),
  constraint invoices_sent_check CHECK (times_sent >= 0 AND (times_sent > 0) = (sent_at IS NOT NULL)),
  constraint invoices_status_check CHECK (status = ANY (ARRAY['draft'::text, 'open'::text, 'paid'::text, 'void'::text, 'uncollectible'::text])),
  constraint invoices_steps_check CHECK (steps_done >= 0 AND (next_step_at IS NULL OR billing_reason = 'manual'::text AND status = 'open'::text)),
  constraint invoices_subtotal_cents_check CHECK (subtotal_cents >= 0 OR billing_reason = 'subscription_change'::text),
  constraint invoices_tax_check CHECK (tax IS NOT NULL OR tax_cents = 0 AND tax_added_cents = 0),
  constraint invoices_total_cents_check CHECK (total_cents >= 0),
  constraint invoices_total_check CHECK (total_cents = (subtotal_cents - discount_cents + tax_added_cents - credit_applied_cents)),
  constraint invoices_waived_check CHECK (jsonb_typeof(waived_shares) = 'array'::text AND (waived_cents = 0 AND waived_shares = '[]'::jsonb OR waived_cents > 0 AND waived_cents < total_cents AND status = 'paid'::text))
);
CREATE INDEX invoices_by_amount ON invoices USING btree (merchant_id, total_cents, id);
CREATE INDEX invoices_by_client_reference ON invoices USING btree (merchant_id, client_reference_id, id) WHERE client_reference_id IS NOT NULL;
CREATE INDEX invoices_by_customer ON invoices USING btree (merchant_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX invoices_by_merchant_reference ON invoices USING btree (merchant_id, merchant_reference, id) WHERE merchant_reference IS NOT NULL;
CREATE INDEX invoices_by_metadata ON invoices USING gin (jsonb_set('{}'::jsonb, ARRAY[merchant_id::text], metadata) jsonb_path_ops) WHERE metadata <> '{}'::jsonb;
CREATE UNIQUE INDEX invoices_by_number ON invoices USING btree (merchant_id, project_id, number);
CREATE INDEX invoices_by_number_text ON invoices USING btree (merchant_id, lower(number_text) COLLATE "C", id);
CREATE INDEX invoices_by_project_status ON invoices USING btree (merchant_id, project_id, status, id);
CREATE UNIQUE INDEX invoices_by_session ON invoices USING btree (merchant_id, checkout_session_id) WHERE checkout_session_id IS NOT NULL;
CREATE INDEX invoices_by_status ON invoices USING btree (merchant_id, status, id);
CREATE INDEX invoices_by_subscription ON invoices USING btree (merchant_id, subscription_id, id) WHERE subscription_id IS NOT NULL;
CREATE INDEX invoices_due_steps ON invoices USING btree (next_step_at) WHERE next_step_at IS NOT NULL;
CREATE UNIQUE INDEX invoices_once_per_period ON invoices USING btree (merchant_id, subscription_id, period_start) WHERE subscription_id IS NOT NULL AND period_start IS NOT NULL AND status <> 'void'::text AND (billing_reason = ANY (ARRAY['subscription_create'::text, 'subscription_cycle'::text]));
CREATE UNIQUE INDEX invoices_one_open_cycle ON invoices USING btree (merchant_id, subscription_id) WHERE status = 'open'::text AND billing_reason = 'subscription_cycle'::text;
CREATE INDEX invoices_paid ON invoices USING btree (merchant_id, paid_at) WHERE status = 'paid'::text;
CREATE CONSTRAINT TRIGGER invoices_sales AFTER UPDATE ON invoices DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (old.paid_at IS DISTINCT FROM new.paid_at) EXECUTE FUNCTION note_sale();
CREATE TRIGGER invoices_sold AFTER INSERT ON invoices FOR EACH ROW WHEN (new.status = 'paid'::text AND current_setting('florin.restoring'::text, true) IS DISTINCT FROM 'yes'::text) EXECUTE FUNCTION note_sale();

create table known_devices (
  merchant_id uuid not null,
  member_id uuid not null,
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint known_devices_pkey PRIMARY KEY (merchant_id, member_id, token_hash),
  constraint known_devices_merchant_id_member_id_fkey FOREIGN KEY (merchant_id, member_id) REFERENCES members(merchant_id, id),
  constraint known_devices_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX known_devices_by_token ON known_devices USING btree (token_hash);
CREATE INDEX known_devices_old ON known_devices USING btree (expires_at);

create table logos (
  merchant_id uuid not null,
  file_name text not null,
  width integer not null,
  height integer not null,
  bytes bytea not null,
  created_at timestamp with time zone not null,
  constraint logos_pkey PRIMARY KEY (merchant_id, file_name),
  constraint logos_bytes_check CHECK (octet_length(bytes) <= 262144),
  constraint logos_check CHECK ("left"(file_name, 64) = encode(sha256(bytes), 'hex'::text)),
  constraint logos_file_name_check CHECK (file_name ~ '^[0-9a-f]{64}\.(png|jpg|webp)$'::text),
  constraint logos_height_check CHECK (height >= 16 AND height <= 2048),
  constraint logos_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint logos_width_check CHECK (width >= 16 AND width <= 2048)
);
CREATE INDEX logos_by_file_name ON logos USING btree (file_name);

create table member_links (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  token_hash bytea not null,
  email text,
  role text,
  member_id uuid,
  created_by text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint member_links_pkey PRIMARY KEY (merchant_id, id),
  constraint member_links_check CHECK (expires_at > created_at),
  constraint member_links_check1 CHECK ((kind = 'invitation'::text) = (email IS NOT NULL)),
  constraint member_links_check2 CHECK ((kind = 'reset'::text) = (role IS NULL)),
  constraint member_links_check3 CHECK (kind <> 'reset'::text OR member_id IS NOT NULL),
  constraint member_links_email_check CHECK (char_length(email) >= 3 AND char_length(email) <= 254),
  constraint member_links_kind_check CHECK (kind = ANY (ARRAY['setup'::text, 'invitation'::text, 'reset'::text])),
  constraint member_links_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint member_links_merchant_id_member_id_fkey FOREIGN KEY (merchant_id, member_id) REFERENCES members(merchant_id, id),
  constraint member_links_role_check CHECK (role = ANY (ARRAY['owner'::text, 'developer'::text, 'viewer'::text])),
  constraint member_links_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX member_links_by_member ON member_links USING btree (merchant_id, member_id) WHERE member_id IS NOT NULL;
CREATE UNIQUE INDEX member_links_by_open_address ON member_links USING btree (merchant_id, lower(email COLLATE "C")) WHERE kind = 'invitation'::text AND used_at IS NULL;
CREATE UNIQUE INDEX member_links_by_token ON member_links USING btree (token_hash);
CREATE INDEX member_links_old ON member_links USING btree (expires_at);

create table members (
  merchant_id uuid not null,
  id uuid not null,
  email text not null,
  name text not null,
  role text not null,
  password_hash text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  last_signed_in_at timestamp with time zone,
  disabled_at timestamp with time zone,
  removed_at timestamp with time zone,
  constraint members_pkey PRIMARY KEY (merchant_id, id),
  constraint members_check CHECK (removed_at IS NULL OR password_hash IS NULL),
  constraint members_email_check CHECK (char_length(email) >= 3 AND char_length(email) <= 254),
  constraint members_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint members_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255),
  constraint members_password_hash_check CHECK (password_hash ~~ '$argon2id$%'::text),
  constraint members_password_hash_form CHECK (password_hash ~ '^\$argon2id\$v=19\$m=[0-9]{1,5},t=[12],p=1\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{43}$'::text AND "substring"(password_hash, 'm=([0-9]{1,5}),'::text)::integer <= 19456),
  constraint members_role_check CHECK (role = ANY (ARRAY['owner'::text, 'developer'::text, 'viewer'::text]))
);
CREATE INDEX members_by_address ON members USING btree (lower(email COLLATE "C")) WHERE removed_at IS NULL;
CREATE UNIQUE INDEX members_by_merchant_and_address ON members USING btree (merchant_id, lower(email COLLATE "C")) WHERE removed_at IS NULL;

create table merchants (
  id uuid not null,
  name text,
  brand_color text,
  logo_file text,
  time_zone text default 'UTC'::text not null,
  payout_address text,
  payout_change_delay_hours smallint default 0 not null,
  require_passkeys boolean default false not null,
  verification_status smallint default 0 not null,
  sponsor_fees text,
  announces_intents boolean default false not null,
  webhook_url text,
  webhook_secret bytea not null,
  previous_webhook_secret bytea,
  previous_webhook_secret_until timestamp with time zone,
  created_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  moved_to text,
  constraint merchants_pkey PRIMARY KEY (id),
  constraint merchants_brand_color_check CHECK (brand_color ~ '^#[0-9a-f]{6}$'::text),
  constraint merchants_check CHECK ((previous_webhook_secret IS NULL) = (previous_webhook_secret_until IS NULL)),
  constraint merchants_id_logo_file_fkey FOREIGN KEY (id, logo_file) REFERENCES logos(merchant_id, file_name) DEFERRABLE,
  constraint merchants_id_payout_address_fkey FOREIGN KEY (id, payout_address) REFERENCES payout_addresses(merchant_id, address) DEFERRABLE,
  constraint merchants_moved_check CHECK (moved_to IS NULL OR closed_at IS NOT NULL),
  constraint merchants_moved_to_check CHECK (char_length(moved_to) >= 1 AND char_length(moved_to) <= 2048),
  constraint merchants_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255),
  constraint merchants_payout_address_check CHECK (char_length(payout_address) >= 32 AND char_length(payout_address) <= 44),
  constraint merchants_payout_change_delay_hours_check CHECK (payout_change_delay_hours >= 0 AND payout_change_delay_hours <= 168),
  constraint merchants_sponsor_fees_check CHECK (sponsor_fees = ANY (ARRAY['never'::text, 'when_needed'::text, 'always'::text])),
  constraint merchants_time_zone_check CHECK (char_length(time_zone) >= 1 AND char_length(time_zone) <= 64),
  constraint merchants_verification_status_check CHECK (verification_status >= 0 AND verification_status <= 3),
  constraint merchants_webhook_url_check CHECK (char_length(webhook_url) >= 1 AND char_length(webhook_url) <= 2048)
);
CREATE INDEX merchants_closed ON merchants USING btree (id) WHERE closed_at IS NOT NULL;

create table node_disagreements (
  signature text not null,
  destination text not null,
  node text not null,
  claim text not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  is_refuted boolean default false not null,
  constraint node_disagreements_pkey PRIMARY KEY (signature, destination, node)
);
CREATE INDEX node_disagreements_by_time ON node_disagreements USING btree (last_seen_at);
CREATE INDEX node_disagreements_undecided ON node_disagreements USING btree (destination) WHERE decided_at IS NULL;

create table notes (
  merchant_id uuid not null,
  id uuid not null,
  customer_id uuid,
  payment_intent_id uuid,
  author text not null,
  text text not null,
  created_at timestamp with time zone not null,
  edited_at timestamp with time zone,
  constraint notes_pkey PRIMARY KEY (merchant_id, id),
  constraint notes_about_one CHECK (num_nonnulls(customer_id, payment_intent_id) = 1),
  constraint notes_author_check CHECK (char_length(author) >= 1 AND char_length(author) <= 255),
  constraint notes_merchant_id_customer_id_fkey FOREIGN KEY (merchant_id, customer_id) REFERENCES customers(merchant_id, id),
  constraint notes_merchant_id_payment_intent_id_fkey FOREIGN KEY (merchant_id, payment_intent_id) REFERENCES payment_intents(merchant_id, id) ON DELETE CASCADE,
  constraint notes_text_check CHECK (char_length(text) >= 1 AND char_length(text) <= 2000)
);
CREATE INDEX notes_by_customer ON notes USING btree (merchant_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX notes_by_payment ON notes USING btree (merchant_id, payment_intent_id, id) WHERE payment_intent_id IS NOT NULL;

create table order_keys (
  merchant_id uuid not null,
  route text not null,
  key text not null,
  intent_id uuid not null,
  created_at timestamp with time zone not null,
  constraint order_keys_pkey PRIMARY KEY (merchant_id, route, key),
  constraint order_keys_key_check CHECK (char_length(key) >= 1 AND char_length(key) <= 300),
  constraint order_keys_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint order_keys_route_check CHECK (char_length(route) >= 1 AND char_length(route) <= 200)
);
CREATE INDEX order_keys_by_age ON order_keys USING btree (created_at);

create table passkey_challenges (
  hash bytea not null,
  purpose text not null,
  merchant_id uuid,
  session_id uuid,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey PRIMARY KEY (hash),
  constraint passkey_challenges_check CHECK ((purpose = 'sign_in'::text) = (session_id IS NULL)),
  constraint passkey_challenges_check1 CHECK ((merchant_id IS NULL) = (session_id IS NULL)),
  constraint passkey_challenges_hash_check CHECK (octet_length(hash) = 32),
  constraint passkey_challenges_merchant_id_session_id_fkey FOREIGN KEY (merchant_id, session_id) REFERENCES dashboard_sessions(merchant_id, id) ON DELETE CASCADE,
  constraint passkey_challenges_purpose_check CHECK (purpose = ANY (ARRAY['register'::text, 'sign_in'::text, 'step_up'::text]))
);
CREATE INDEX passkey_challenges_by_session ON passkey_challenges USING btree (merchant_id, session_id);
CREATE INDEX passkey_challenges_old ON passkey_challenges USING btree (expires_at);

create table passkeys (
  merchant_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  name text not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  is_synced boolean not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (merchant_id, id),
  constraint passkeys_counter_check CHECK (counter >= 0),
  constraint passkeys_credential_id_check CHECK (octet_length(credential_id) >= 1 AND octet_length(credential_id) <= 1023),
  constraint passkeys_merchant_id_member_id_fkey FOREIGN KEY (merchant_id, member_id) REFERENCES members(merchant_id, id),
  constraint passkeys_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255)
);
CREATE UNIQUE INDEX passkeys_by_credential ON passkeys USING btree (credential_id);
CREATE INDEX passkeys_by_member ON passkeys USING btree (merchant_id, member_id);

create table payment_allocations (
  merchant_id uuid not null,
  intent_id uuid not null,
  signature text not null,
  destination text not null,
  base_units numeric(20,0) not null,
  is_final boolean not null,
  created_at timestamp with time zone not null,
  constraint payment_allocations_pkey PRIMARY KEY (merchant_id, intent_id, signature),
  constraint payment_allocations_base_units_check CHECK (base_units > 0::numeric),
  constraint payment_allocations_merchant_id_intent_id_fkey FOREIGN KEY (merchant_id, intent_id) REFERENCES payment_intents(merchant_id, id),
  constraint payment_allocations_signature_destination_fkey FOREIGN KEY (signature, destination) REFERENCES incoming_transfers(signature, destination)
);
CREATE INDEX payment_allocations_by_signature ON payment_allocations USING btree (signature, destination);

create table payment_claims (
  merchant_id uuid not null,
  signature text not null,
  intent_id uuid not null,
  claimed_at timestamp with time zone not null,
  constraint payment_claims_pkey PRIMARY KEY (merchant_id, signature, intent_id),
  constraint payment_claims_merchant_id_intent_id_fkey FOREIGN KEY (merchant_id, intent_id) REFERENCES payment_intents(merchant_id, id) ON DELETE CASCADE
);
CREATE INDEX payment_claims_by_intent ON payment_claims USING btree (merchant_id, intent_id);

create table payment_exceptions (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  status text default 'open'::text not null,
  signature text not null,
  destination text not null,
  mint text not null,
  decimals smallint,
  base_units numeric(38,0) not null,
  transfer_count bigint default 1 not null,
  intent_id uuid,
  is_after_payment boolean default false not null,
  linked_intent_id uuid,
  refund_id uuid,
  posting_id uuid,
  note text,
  created_at timestamp with time zone not null,
  resolved_at timestamp with time zone,
  constraint payment_exceptions_pkey PRIMARY KEY (merchant_id, id),
  constraint payment_exceptions_after_payment_check CHECK (NOT is_after_payment OR kind = 'surplus'::text AND intent_id IS NOT NULL),
  constraint payment_exceptions_base_units_check CHECK (base_units > 0::numeric),
  constraint payment_exceptions_check CHECK ((status = 'open'::text) = (resolved_at IS NULL)),
  constraint payment_exceptions_check1 CHECK ((status = 'linked'::text) = (linked_intent_id IS NOT NULL)),
  constraint payment_exceptions_credited_check CHECK (status <> 'credited'::text OR posting_id IS NOT NULL),
  constraint payment_exceptions_decimals_check CHECK (decimals >= 0 AND decimals <= 255),
  constraint payment_exceptions_kind_check CHECK (kind = ANY (ARRAY['unmatched'::text, 'ambiguous'::text, 'wrong_mint'::text, 'canceled'::text, 'late'::text, 'surplus'::text, 'duplicate_order'::text, 'stray'::text, 'over_refunded'::text])),
  constraint payment_exceptions_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint payment_exceptions_merchant_id_intent_id_fkey FOREIGN KEY (merchant_id, intent_id) REFERENCES payment_intents(merchant_id, id),
  constraint payment_exceptions_merchant_id_linked_intent_id_fkey FOREIGN KEY (merchant_id, linked_intent_id) REFERENCES payment_intents(merchant_id, id),
  constraint payment_exceptions_merchant_id_posting_id_fkey FOREIGN KEY (merchant_id, posting_id) REFERENCES postings(merchant_id, id),
  constraint payment_exceptions_merchant_id_refund_id_fkey FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds(merchant_id, id) DEFERRABLE,
  constraint payment_exceptions_status_check CHECK (status = ANY (ARRAY['open'::text, 'linked'::text, 'returned'::text, 'kept'::text, 'credited'::text, 'dust'::text])),
  constraint payment_exceptions_transfer_count_check CHECK (transfer_count >= 1)
);
CREATE INDEX payment_exceptions_by_amount ON payment_exceptions USING btree (merchant_id, base_units, id);
CREATE INDEX payment_exceptions_by_intent ON payment_exceptions USING btree (merchant_id, intent_id) WHERE intent_id IS NOT NULL;
CREATE INDEX payment_exceptions_by_linked_intent ON payment_exceptions USING btree (merchant_id, linked_intent_id) WHERE linked_intent_id IS NOT NULL;
CREATE INDEX payment_exceptions_by_posting ON payment_exceptions USING btree (merchant_id, posting_id) WHERE posting_id IS NOT NULL;
CREATE INDEX payment_exceptions_by_refund ON payment_exceptions USING btree (merchant_id, refund_id) WHERE refund_id IS NOT NULL;
CREATE UNIQUE INDEX payment_exceptions_once ON payment_exceptions USING btree (merchant_id, signature, destination, kind, mint, intent_id, (
CASE
    WHEN kind = 'over_refunded'::text THEN refund_id
    ELSE NULL::uuid
END)) NULLS NOT DISTINCT;

create table payment_intents (
  merchant_id uuid not null,
  id uuid not null,
  order_id text collate "C",
  terminal_id uuid,
  session_ordering_key uuid,
  metadata jsonb default '{}'::jsonb not null,
  expected_amount_cents bigint not null,
  received_base_units numeric(38,0) default 0 not null,
  waived_base_units numeric(38,0) default 0 not null,
  reference_address text not null,
  destination_address text not null,
  status text default 'pending'::text not null,
  status_without_payment text default 'pending'::text not null,
  is_refunding boolean default false not null,
  is_withdrawn boolean default false not null,
  tx_signature text,
  paid_via text,
  payer_address text,
  sequence integer default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  succeeded_at timestamp with time zone,
  reference_check_at timestamp with time zone,
  reference_checked_at timestamp with time zone,
  constraint payment_intents_pkey PRIMARY KEY (merchant_id, id),
  constraint payment_intents_check CHECK (expires_at > created_at),
  constraint payment_intents_check1 CHECK ((status = 'succeeded'::text) = (succeeded_at IS NOT NULL)),
  constraint payment_intents_expected_amount_cents_check CHECK (expected_amount_cents > 0 OR expected_amount_cents = 0 AND session_ordering_key IS NOT NULL),
  constraint payment_intents_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint payment_intents_merchant_id_terminal_id_fkey FOREIGN KEY (merchant_id, terminal_id) REFERENCES terminals(merchant_id, id),
  constraint payment_intents_metadata_check CHECK (jsonb_typeof(metadata) = 'object'::text AND octet_length(metadata::text) <= 131072),
  constraint payment_intents_order_id_check CHECK (char_length(order_id) >= 1 AND char_length(order_id) <= 128),
  constraint payment_intents_paid_via_check CHECK (paid_via = ANY (ARRAY['wallet'::text, 'transfer'::text, 'x402'::text, 'mpp'::text])),
  constraint payment_intents_received_base_units_check CHECK (received_base_units >= 0::numeric),
  constraint payment_intents_status_check CHECK (status = ANY (ARRAY['pending'::text, 'processing'::text, 'underpaid'::text, 'succeeded'::text, 'failed'::text, 'expired'::text, 'canceled'::text])),
  constraint payment_intents_status_without_payment_check CHECK (status_without_payment = ANY (ARRAY['pending'::text, 'failed'::text, 'expired'::text])),
  constraint payment_intents_unseen_check CHECK ((status <> ALL (ARRAY['pending'::text, 'expired'::text, 'canceled'::text])) OR received_base_units < 10000::numeric),
  constraint payment_intents_waived_check CHECK (waived_base_units = 0::numeric OR waived_base_units > 0::numeric AND status = 'succeeded'::text AND received_base_units > 0::numeric AND (received_base_units + waived_base_units) >= (expected_amount_cents::numeric * 10000::numeric) AND waived_base_units < (expected_amount_cents::numeric * 10000::numeric))
);
CREATE INDEX payment_intents_by_amount ON payment_intents USING btree (merchant_id, expected_amount_cents, id);
CREATE UNIQUE INDEX payment_intents_by_id ON payment_intents USING btree (uuid_send(id));
CREATE INDEX payment_intents_by_metadata ON payment_intents USING gin (jsonb_set('{}'::jsonb, ARRAY[merchant_id::text], metadata) jsonb_path_ops) WHERE metadata <> '{}'::jsonb;
CREATE INDEX payment_intents_by_order ON payment_intents USING btree (merchant_id, order_id, id);
CREATE INDEX payment_intents_by_paid_via ON payment_intents USING btree (merchant_id, paid_via, id) WHERE paid_via IS NOT NULL;
CREATE UNIQUE INDEX payment_intents_by_reference ON payment_intents USING btree (reference_address);
CREATE INDEX payment_intents_by_status ON payment_intents USING btree (merchant_id, status, id);
CREATE INDEX payment_intents_by_terminal ON payment_intents USING btree (merchant_id, terminal_id, id) WHERE terminal_id IS NOT NULL;
CREATE INDEX payment_intents_due ON payment_intents USING btree (destination_address, expires_at) WHERE status = ANY (ARRAY['pending'::text, 'failed'::text]);
CREATE INDEX payment_intents_due_a_fraction ON payment_intents USING btree (destination_address) WHERE (received_base_units % 10000::numeric) <> 0::numeric AND (status <> ALL (ARRAY['succeeded'::text, 'canceled'::text]));
CREATE INDEX payment_intents_received ON payment_intents USING btree (merchant_id, succeeded_at) INCLUDE (received_base_units) WHERE status = 'succeeded'::text;
CREATE INDEX payment_intents_reference_checks ON payment_intents USING btree (reference_check_at) WHERE reference_check_at IS NOT NULL;
CREATE CONSTRAINT TRIGGER payment_intents_revenue AFTER UPDATE ON payment_intents DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.status = 'succeeded'::text OR new.status = 'succeeded'::text) AND (old.status IS DISTINCT FROM new.status OR old.succeeded_at IS DISTINCT FROM new.succeeded_at OR old.received_base_units IS DISTINCT FROM new.received_base_units)) EXECUTE FUNCTION note_payment();

create table payment_links (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  price_id uuid not null,
  name text,
  status text default 'active'::text not null,
  public_token text not null,
  min_cents bigint,
  max_cents bigint,
  suggested_cents bigint[] default '{}'::bigint[] not null,
  tip_percents integer[] default '{}'::integer[] not null,
  allow_promotion_codes boolean default false not null,
  require_client_reference_id boolean not null,
  collect_customer_email boolean not null,
  success_url text,
  cancel_url text,
  expires_at timestamp with time zone,
  max_payments integer,
  payments_count integer default 0 not null,
  metadata jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  deleted_at timestamp with time zone,
  constraint payment_links_pkey PRIMARY KEY (merchant_id, id),
  constraint payment_links_cancel_url_check CHECK (char_length(cancel_url) <= 2048),
  constraint payment_links_check CHECK (deleted_at IS NULL OR status = 'inactive'::text),
  constraint payment_links_check1 CHECK (ended_at IS NULL OR status = 'inactive'::text),
  constraint payment_links_max_payments_check CHECK (max_payments > 0),
  constraint payment_links_merchant_id_project_id_id_key UNIQUE (merchant_id, project_id, id),
  constraint payment_links_merchant_id_project_id_price_id_fkey FOREIGN KEY (merchant_id, project_id, price_id) REFERENCES prices(merchant_id, project_id, id),
  constraint payment_links_metadata_check CHECK (jsonb_typeof(metadata) = 'object'::text AND octet_length(metadata::text) <= 131072),
  constraint payment_links_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255),
  constraint payment_links_open_amount_check CHECK (
CASE
    WHEN min_cents IS NULL THEN max_cents IS NULL AND suggested_cents = '{}'::bigint[]
    ELSE min_cents > 0 AND (max_cents IS NULL OR max_cents >= min_cents) AND (min_cents <= ALL (suggested_cents)) AND (max_cents IS NULL OR (max_cents >= ALL (suggested_cents)))
END),
  constraint payment_links_payments_count_check CHECK (payments_count >= 0),
  constraint payment_links_status_check CHECK (status = ANY (ARRAY['active'::text, 'inactive'::text])),
  constraint payment_links_success_url_check CHECK (char_length(success_url) <= 2048),
  constraint payment_links_tip_percents_check CHECK (cardinality(tip_percents) <= 4)
);
CREATE INDEX payment_links_by_metadata ON payment_links USING gin (jsonb_set('{}'::jsonb, ARRAY[merchant_id::text], metadata) jsonb_path_ops) WHERE metadata <> '{}'::jsonb;
CREATE INDEX payment_links_by_name ON payment_links USING btree (merchant_id, lower(name) COLLATE "C", id) WHERE name IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX payment_links_by_token ON payment_links USING btree (public_token);
CREATE INDEX payment_links_due ON payment_links USING btree (expires_at) WHERE status = 'active'::text AND expires_at IS NOT NULL;
CREATE INDEX payment_links_ended ON payment_links USING btree (ended_at) WHERE ended_at IS NOT NULL;

create table payout_addresses (
  merchant_id uuid not null,
  address text not null,
  is_shared boolean default false not null,
  verified_at timestamp with time zone,
  seen_in_wallet_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint payout_addresses_pkey PRIMARY KEY (merchant_id, address),
  constraint payout_addresses_check CHECK (verified_at IS NULL OR NOT is_shared),
  constraint payout_addresses_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE UNIQUE INDEX payout_addresses_by_address ON payout_addresses USING btree (address) WHERE NOT is_shared;

create table payout_challenges (
  merchant_id uuid not null,
  address text not null,
  message text not null,
  expires_at timestamp with time zone not null,
  constraint payout_challenges_pkey PRIMARY KEY (merchant_id, address),
  constraint payout_challenges_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX payout_challenges_old ON payout_challenges USING btree (expires_at);

create table payout_changes (
  merchant_id uuid not null,
  id uuid not null,
  kind text not null,
  project_id uuid,
  from_address text,
  address text,
  from_delay_hours smallint,
  delay_hours smallint,
  requested_by text not null,
  requested_at timestamp with time zone not null,
  takes_effect_at timestamp with time zone not null,
  constraint payout_changes_pkey PRIMARY KEY (merchant_id, id),
  constraint payout_changes_check CHECK (takes_effect_at >= requested_at),
  constraint payout_changes_check1 CHECK (
CASE kind
    WHEN 'delay'::text THEN num_nonnulls(delay_hours, from_delay_hours) = 2 AND num_nonnulls(project_id, from_address, address) = 0
    ELSE num_nonnulls(delay_hours, from_delay_hours) = 0 AND num_nonnulls(project_id, address) > 0
END),
  constraint payout_changes_delay_hours_check CHECK (delay_hours >= 0 AND delay_hours <= 168),
  constraint payout_changes_kind_check CHECK (kind = ANY (ARRAY['address'::text, 'delay'::text])),
  constraint payout_changes_merchant_id_address_fkey FOREIGN KEY (merchant_id, address) REFERENCES payout_addresses(merchant_id, address),
  constraint payout_changes_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint payout_changes_merchant_id_kind_project_id_key UNIQUE NULLS NOT DISTINCT (merchant_id, kind, project_id),
  constraint payout_changes_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id)
);
CREATE INDEX payout_changes_by_address ON payout_changes USING btree (merchant_id, address);
CREATE INDEX payout_changes_due ON payout_changes USING btree (takes_effect_at);

create table paywalls (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  price_id uuid not null,
  token text not null,
  resource_url text,
  description text not null,
  mime_type text not null,
  settle_at text,
  created_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint paywalls_pkey PRIMARY KEY (merchant_id, id),
  constraint paywalls_description_check CHECK (char_length(description) >= 1 AND char_length(description) <= 500),
  constraint paywalls_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id),
  constraint paywalls_merchant_id_project_id_price_id_fkey FOREIGN KEY (merchant_id, project_id, price_id) REFERENCES prices(merchant_id, project_id, id),
  constraint paywalls_mime_type_check CHECK (char_length(mime_type) >= 1 AND char_length(mime_type) <= 255),
  constraint paywalls_resource_url_check CHECK (char_length(resource_url) <= 2048),
  constraint paywalls_settle_at_check CHECK (settle_at = ANY (ARRAY['confirmed'::text, 'finalized'::text]))
);
CREATE INDEX paywalls_by_project ON paywalls USING btree (merchant_id, project_id, id);
CREATE UNIQUE INDEX paywalls_by_token ON paywalls USING btree (token);

create table portal_email_changes (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  customer_id uuid not null,
  email text not null,
  from_email_hash bytea,
  is_by_email boolean not null,
  token_hash bytea not null,
  asked_from_hash bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  outcome text,
  constraint portal_email_changes_pkey PRIMARY KEY (merchant_id, id),
  constraint portal_email_changes_asked_from_hash_check CHECK (octet_length(asked_from_hash) = 32),
  constraint portal_email_changes_check CHECK (expires_at > created_at AND expires_at <= (created_at + '24:00:00'::interval)),
  constraint portal_email_changes_email_check CHECK (char_length(email) >= 1 AND char_length(email) <= 254),
  constraint portal_email_changes_from_email_hash_check CHECK (octet_length(from_email_hash) = 32),
  constraint portal_email_changes_merchant_id_project_id_customer_id_fkey FOREIGN KEY (merchant_id, project_id, customer_id) REFERENCES customers(merchant_id, project_id, id),
  constraint portal_email_changes_outcome_check CHECK (outcome = ANY (ARRAY['confirmed'::text, 'withdrawn'::text, 'replaced'::text])),
  constraint portal_email_changes_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX portal_email_changes_by_address ON portal_email_changes USING btree (merchant_id, project_id, lower(email COLLATE "C"), created_at);
CREATE INDEX portal_email_changes_by_customer ON portal_email_changes USING btree (merchant_id, customer_id, created_at);
CREATE INDEX portal_email_changes_by_network ON portal_email_changes USING btree (merchant_id, project_id, asked_from_hash, created_at);
CREATE UNIQUE INDEX portal_email_changes_by_token ON portal_email_changes USING btree (token_hash);
CREATE INDEX portal_email_changes_old ON portal_email_changes USING btree (expires_at);
CREATE UNIQUE INDEX portal_email_changes_waiting ON portal_email_changes USING btree (merchant_id, customer_id) WHERE outcome IS NULL;

create table portal_sessions (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  customer_id uuid not null,
  token_hash bytea not null,
  return_url text,
  is_by_email boolean default false not null,
  emailed_to_hash bytea,
  asked_from_hash bytea,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  opened_at timestamp with time zone,
  visit_ends_at timestamp with time zone,
  cookie_hash bytea,
  constraint portal_sessions_pkey PRIMARY KEY (merchant_id, id),
  constraint portal_sessions_asked_from_hash_check CHECK (octet_length(asked_from_hash) = 32),
  constraint portal_sessions_by_email_are_short CHECK (NOT is_by_email OR expires_at <= (created_at + '00:15:00'::interval)),
  constraint portal_sessions_check CHECK (expires_at > created_at),
  constraint portal_sessions_check1 CHECK ((opened_at IS NULL) = (visit_ends_at IS NULL)),
  constraint portal_sessions_check2 CHECK (cookie_hash IS NULL OR opened_at IS NOT NULL),
  constraint portal_sessions_cookie_hash_check CHECK (octet_length(cookie_hash) = 32),
  constraint portal_sessions_emailed_to_hash_check CHECK (octet_length(emailed_to_hash) = 32),
  constraint portal_sessions_merchant_id_project_id_customer_id_fkey FOREIGN KEY (merchant_id, project_id, customer_id) REFERENCES customers(merchant_id, project_id, id),
  constraint portal_sessions_return_url_check CHECK (char_length(return_url) <= 2048),
  constraint portal_sessions_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE UNIQUE INDEX portal_sessions_by_cookie ON portal_sessions USING btree (cookie_hash) WHERE cookie_hash IS NOT NULL;
CREATE INDEX portal_sessions_by_customer ON portal_sessions USING btree (merchant_id, project_id, customer_id);
CREATE UNIQUE INDEX portal_sessions_by_token ON portal_sessions USING btree (token_hash);
CREATE INDEX portal_sessions_old ON portal_sessions USING btree (expires_at);

create table portal_sign_ins (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  email text not null,
  language text not null,
  asked_from_hash bytea,
  created_at timestamp with time zone not null,
  constraint portal_sign_ins_pkey PRIMARY KEY (merchant_id, id),
  constraint portal_sign_ins_asked_from_hash_check CHECK (octet_length(asked_from_hash) = 32),
  constraint portal_sign_ins_email_check CHECK (char_length(email) >= 1 AND char_length(email) <= 254),
  constraint portal_sign_ins_language_check CHECK (char_length(language) >= 2 AND char_length(language) <= 35),
  constraint portal_sign_ins_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id)
);
CREATE INDEX portal_sign_ins_by_age ON portal_sign_ins USING btree (created_at);

create table postings (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  customer_id uuid not null,
  delta_credits bigint default 0 not null,
  delta_cents bigint default 0 not null,
  credits_after numeric(38,0) not null,
  cents_after numeric(38,0) not null,
  counter_account text not null,
  reason text,
  invoice_id uuid,
  usage_record_id uuid,
  reverses_id uuid,
  created_at timestamp with time zone not null,
  constraint postings_pkey PRIMARY KEY (merchant_id, id),
  constraint postings_cents_after_check CHECK (cents_after >= 0::numeric),
  constraint postings_check CHECK ((delta_credits = 0) <> (delta_cents = 0)),
  constraint postings_check1 CHECK (counter_account <> 'top_up'::text OR delta_credits > 0 AND invoice_id IS NOT NULL),
  constraint postings_check2 CHECK (counter_account <> 'usage'::text OR delta_credits < 0 AND usage_record_id IS NOT NULL),
  constraint postings_check3 CHECK ((counter_account <> ALL (ARRAY['invoice'::text, 'stray_payment'::text, 'plan_change'::text])) OR delta_credits = 0),
  constraint postings_counter_account_check CHECK (counter_account = ANY (ARRAY['top_up'::text, 'usage'::text, 'adjustment'::text, 'invoice'::text, 'stray_payment'::text, 'plan_change'::text, 'refund'::text])),
  constraint postings_credits_after_check CHECK (credits_after >= 0::numeric),
  constraint postings_merchant_id_project_id_customer_id_fkey FOREIGN KEY (merchant_id, project_id, customer_id) REFERENCES customers(merchant_id, project_id, id),
  constraint postings_merchant_id_project_id_invoice_id_fkey FOREIGN KEY (merchant_id, project_id, invoice_id) REFERENCES invoices(merchant_id, project_id, id),
  constraint postings_merchant_id_reverses_id_fkey FOREIGN KEY (merchant_id, reverses_id) REFERENCES postings(merchant_id, id),
  constraint postings_merchant_id_usage_record_id_fkey FOREIGN KEY (merchant_id, usage_record_id) REFERENCES usage_records(merchant_id, id),
  constraint postings_reason_check CHECK (char_length(reason) >= 1 AND char_length(reason) <= 255)
);
CREATE INDEX postings_by_customer ON postings USING btree (merchant_id, customer_id, id);
CREATE INDEX postings_by_invoice ON postings USING btree (merchant_id, invoice_id) WHERE invoice_id IS NOT NULL;
CREATE UNIQUE INDEX postings_invoice_once ON postings USING btree (merchant_id, invoice_id) WHERE counter_account = 'invoice'::text AND reverses_id IS NULL;
CREATE UNIQUE INDEX postings_reversed_once ON postings USING btree (merchant_id, reverses_id) WHERE reverses_id IS NOT NULL;
CREATE UNIQUE INDEX postings_top_up_once ON postings USING btree (merchant_id, invoice_id) WHERE counter_account = 'top_up'::text AND reverses_id IS NULL;
CREATE UNIQUE INDEX postings_usage_once ON postings USING btree (merchant_id, usage_record_id) WHERE counter_account = 'usage'::text AND reverses_id IS NULL;
CREATE TRIGGER postings_only_grow BEFORE DELETE ON postings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_but_reset();
CREATE TRIGGER postings_stay BEFORE UPDATE ON postings FOR EACH ROW EXECUTE FUNCTION refuse_change_but_erasure();

create table prices (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  product_id uuid not null,
  name text,
  lookup_key text,
  unit_amount_cents bigint not null,
  currency text default 'USD'::text not null,
  tax_behavior text default 'none'::text not null,
  tax_rate_id uuid,
  billing_mode text not null,
  credit_amount bigint,
  recurring_interval text,
  recurring_interval_count integer,
  trial_days integer,
  is_active boolean default true not null,
  metadata jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone not null,
  constraint prices_pkey PRIMARY KEY (merchant_id, id),
  constraint prices_billing_mode_check CHECK (billing_mode = ANY (ARRAY['one_time'::text, 'balance_top_up'::text, 'subscription'::text])),
  constraint prices_check CHECK ((billing_mode = 'balance_top_up'::text) = (credit_amount IS NOT NULL)),
  constraint prices_check1 CHECK ((billing_mode = 'subscription'::text) = (recurring_interval IS NOT NULL)),
  constraint prices_check2 CHECK ((billing_mode = 'subscription'::text) = (recurring_interval_count IS NOT NULL)),
  constraint prices_credit_amount_check CHECK (credit_amount > 0),
  constraint prices_currency_check CHECK (currency = 'USD'::text),
  constraint prices_lookup_key_check CHECK (char_length(lookup_key) >= 1 AND char_length(lookup_key) <= 200),
  constraint prices_merchant_id_project_id_id_key UNIQUE (merchant_id, project_id, id),
  constraint prices_merchant_id_project_id_product_id_fkey FOREIGN KEY (merchant_id, project_id, product_id) REFERENCES products(merchant_id, project_id, id),
  constraint prices_metadata_check CHECK (jsonb_typeof(metadata) = 'object'::text AND octet_length(metadata::text) <= 131072),
  constraint prices_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255),
  constraint prices_recurring_interval_check CHECK (recurring_interval = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'year'::text])),
  constraint prices_recurring_interval_count_check CHECK (recurring_interval_count > 0),
  constraint prices_tax_behavior_check CHECK (tax_behavior = ANY (ARRAY['none'::text, 'inclusive'::text, 'exclusive'::text])),
  constraint prices_tax_rate_check CHECK (tax_rate_id IS NULL OR tax_behavior <> 'none'::text),
  constraint prices_tax_rate_fkey FOREIGN KEY (merchant_id, project_id, tax_rate_id) REFERENCES tax_rates(merchant_id, project_id, id),
  constraint prices_trial_days_check CHECK (trial_days IS NULL OR trial_days >= 1 AND trial_days <= 730 AND billing_mode = 'subscription'::text),
  constraint prices_unit_amount_cents_check CHECK (unit_amount_cents > 0)
);
CREATE UNIQUE INDEX prices_by_lookup_key ON prices USING btree (merchant_id, project_id, lookup_key) WHERE lookup_key IS NOT NULL;
CREATE INDEX prices_by_metadata ON prices USING gin (jsonb_set('{}'::jsonb, ARRAY[merchant_id::text], metadata) jsonb_path_ops) WHERE metadata <> '{}'::jsonb;
CREATE INDEX prices_by_product ON prices USING btree (merchant_id, product_id, id);

create table products (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  description text,
  image_file text,
  is_active boolean default true not null,
  metadata jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone not null,
  constraint products_pkey PRIMARY KEY (merchant_id, id),
  constraint products_description_check CHECK (char_length(description) >= 1 AND char_length(description) <= 2000),
  constraint products_merchant_id_image_file_fkey FOREIGN KEY (merchant_id, image_file) REFERENCES logos(merchant_id, file_name),
  constraint products_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id),
  constraint products_merchant_id_project_id_id_key UNIQUE (merchant_id, project_id, id),
  constraint products_metadata_check CHECK (jsonb_typeof(metadata) = 'object'::text AND octet_length(metadata::text) <= 131072),
  constraint products_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255)
);
CREATE INDEX products_by_image ON products USING btree (merchant_id, image_file) WHERE image_file IS NOT NULL;
CREATE INDEX products_by_metadata ON products USING gin (jsonb_set('{}'::jsonb, ARRAY[merchant_id::text], metadata) jsonb_path_ops) WHERE metadata <> '{}'::jsonb;
CREATE INDEX products_by_name ON products USING btree (merchant_id, lower(name) COLLATE "C", id);

create table project_months (
  merchant_id uuid not null,
  project_id uuid not null,
  month date not null,
  volume_cents numeric(38,0) default 0 not null,
  request_count bigint default 0 not null,
  constraint project_months_pkey PRIMARY KEY (merchant_id, project_id, month),
  constraint project_months_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id),
  constraint project_months_month_check CHECK (EXTRACT(day FROM month) = 1::numeric),
  constraint project_months_request_count_check CHECK (request_count >= 0),
  constraint project_months_volume_cents_check CHECK (volume_cents >= 0::numeric)
);

create table projects (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  brand_name text,
  brand_color text,
  logo_file text,
  payout_address text,
  seller jsonb,
  monthly_volume_limit_cents bigint,
  monthly_request_limit bigint,
  settings jsonb default '{}'::jsonb not null,
  last_invoice_number bigint default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  constraint projects_pkey PRIMARY KEY (merchant_id, id),
  constraint projects_brand_color_check CHECK (brand_color ~ '^#[0-9a-f]{6}$'::text),
  constraint projects_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint projects_merchant_id_logo_file_fkey FOREIGN KEY (merchant_id, logo_file) REFERENCES logos(merchant_id, file_name),
  constraint projects_merchant_id_payout_address_fkey FOREIGN KEY (merchant_id, payout_address) REFERENCES payout_addresses(merchant_id, address),
  constraint projects_monthly_request_limit_check CHECK (monthly_request_limit >= 0),
  constraint projects_monthly_volume_limit_cents_check CHECK (monthly_volume_limit_cents >= 0),
  constraint projects_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255),
  constraint projects_settings_check CHECK (jsonb_typeof(settings) = 'object'::text)
);
CREATE INDEX projects_by_id ON projects USING btree (id);

create table promotion_codes (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  discount_id uuid not null,
  code text not null,
  is_active boolean default true not null,
  created_at timestamp with time zone not null,
  constraint promotion_codes_pkey PRIMARY KEY (merchant_id, id),
  constraint promotion_codes_code_check CHECK (code ~ '^[A-Za-z0-9_-]{1,50}$'::text),
  constraint promotion_codes_merchant_id_project_id_discount_id_fkey FOREIGN KEY (merchant_id, project_id, discount_id) REFERENCES discounts(merchant_id, project_id, id)
);
CREATE UNIQUE INDEX promotion_codes_by_code ON promotion_codes USING btree (merchant_id, project_id, upper(code) COLLATE "C");
CREATE INDEX promotion_codes_by_discount ON promotion_codes USING btree (merchant_id, discount_id, id);

create table refund_counters (
  merchant_id uuid not null,
  last_refund_number bigint default 0 not null,
  last_credit_note_number bigint default 0 not null,
  constraint refund_counters_pkey PRIMARY KEY (merchant_id),
  constraint refund_counters_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

create table refund_requests (
  merchant_id uuid not null,
  id uuid not null,
  intent_id uuid not null,
  till_id uuid not null,
  reason text,
  status text default 'open'::text not null,
  refund_id uuid,
  created_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  constraint refund_requests_pkey PRIMARY KEY (merchant_id, id),
  constraint refund_requests_check CHECK ((status = 'approved'::text) = (refund_id IS NOT NULL)),
  constraint refund_requests_check1 CHECK ((status = 'open'::text) = (decided_at IS NULL)),
  constraint refund_requests_merchant_id_intent_id_fkey FOREIGN KEY (merchant_id, intent_id) REFERENCES till_sales(merchant_id, intent_id),
  constraint refund_requests_merchant_id_refund_id_fkey FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds(merchant_id, id),
  constraint refund_requests_merchant_id_till_id_fkey FOREIGN KEY (merchant_id, till_id) REFERENCES tills(merchant_id, id),
  constraint refund_requests_reason_check CHECK (char_length(reason) >= 1 AND char_length(reason) <= 200),
  constraint refund_requests_status_check CHECK (status = ANY (ARRAY['open'::text, 'approved'::text, 'declined'::text]))
);
CREATE INDEX refund_requests_by_intent ON refund_requests USING btree (merchant_id, intent_id, id);
CREATE INDEX refund_requests_by_refund ON refund_requests USING btree (merchant_id, refund_id) WHERE refund_id IS NOT NULL;
CREATE INDEX refund_requests_by_till ON refund_requests USING btree (merchant_id, till_id);
CREATE UNIQUE INDEX refund_requests_one_open ON refund_requests USING btree (merchant_id, intent_id) WHERE status = 'open'::text;

create table refund_transfers (
  merchant_id uuid not null,
  refund_id uuid not null,
  signature text not null,
  slot bigint not null,
  block_time timestamp with time zone not null,
  base_units numeric(20,0) not null,
  is_final boolean not null,
  created_at timestamp with time zone not null,
  constraint refund_transfers_pkey PRIMARY KEY (merchant_id, refund_id, signature),
  constraint refund_transfers_base_units_check CHECK (base_units > 0::numeric),
  constraint refund_transfers_merchant_id_refund_id_fkey FOREIGN KEY (merchant_id, refund_id) REFERENCES refunds(merchant_id, id)
);

create table refunds (
  merchant_id uuid not null,
  id uuid not null,
  number bigint not null,
  project_id uuid,
  customer_id uuid,
  payment_intent_id uuid,
  invoice_id uuid,
  exception_id uuid,
  status text not null,
  amount_cents bigint not null,
  sent_base_units numeric(38,0) default 0 not null,
  reason text not null,
  note text,
  metadata jsonb default '{}'::jsonb not null,
  address text,
  address_source text,
  address_approved_at timestamp with time zone,
  payer_address text,
  reference_address text not null,
  claim_token_hash bytea,
  notify_customer boolean not null,
  revoke_credits boolean not null,
  cancel_subscription boolean not null,
  effects_due_at timestamp with time zone,
  prepared_at timestamp with time zone,
  prepared_until timestamp with time zone,
  sent_signature text,
  sends integer default 0 not null,
  lapses_at_height bigint,
  tx_signature text,
  check_at timestamp with time zone,
  checked_signature text,
  sequence integer default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  succeeded_at timestamp with time zone,
  canceled_at timestamp with time zone,
  constraint refunds_pkey PRIMARY KEY (merchant_id, id),
  constraint refunds_address_check CHECK (char_length(address) >= 32 AND char_length(address) <= 44),
  constraint refunds_address_source_check CHECK (address_source = ANY (ARRAY['merchant'::text, 'customer'::text, 'payer'::text])),
  constraint refunds_amount_cents_check CHECK (amount_cents > 0),
  constraint refunds_check CHECK (expires_at > created_at),
  constraint refunds_check1 CHECK (payment_intent_id IS NOT NULL OR exception_id IS NOT NULL),
  constraint refunds_check2 CHECK ((address IS NULL) = (address_source IS NULL)),
  constraint refunds_check3 CHECK (address_approved_at IS NULL OR address IS NOT NULL),
  constraint refunds_check4 CHECK ((status <> ALL (ARRAY['ready'::text, 'processing'::text, 'succeeded'::text])) OR address_approved_at IS NOT NULL),
  constraint refunds_check5 CHECK (status <> 'awaiting_address'::text OR address_approved_at IS NULL),
  constraint refunds_check6 CHECK ((status = 'succeeded'::text) = (succeeded_at IS NOT NULL)),
  constraint refunds_check7 CHECK (status <> 'succeeded'::text OR tx_signature IS NOT NULL AND sent_base_units >= (amount_cents::numeric * 10000::numeric)),
  constraint refunds_check8 CHECK ((status = 'canceled'::text) = (canceled_at IS NOT NULL)),
  constraint refunds_claim_token_hash_check CHECK (octet_length(claim_token_hash) = 32),
  constraint refunds_merchant_id_exception_id_fkey FOREIGN KEY (merchant_id, exception_id) REFERENCES payment_exceptions(merchant_id, id),
  constraint refunds_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint refunds_merchant_id_number_key UNIQUE (merchant_id, number),
  constraint refunds_merchant_id_payment_intent_id_fkey FOREIGN KEY (merchant_id, payment_intent_id) REFERENCES payment_intents(merchant_id, id),
  constraint refunds_merchant_id_project_id_customer_id_fkey FOREIGN KEY (merchant_id, project_id, customer_id) REFERENCES customers(merchant_id, project_id, id),
  constraint refunds_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id),
  constraint refunds_merchant_id_project_id_invoice_id_fkey FOREIGN KEY (merchant_id, project_id, invoice_id) REFERENCES invoices(merchant_id, project_id, id),
  constraint refunds_metadata_check CHECK (jsonb_typeof(metadata) = 'object'::text AND octet_length(metadata::text) <= 131072),
  constraint refunds_note_check CHECK (char_length(note) >= 1 AND char_length(note) <= 2000),
  constraint refunds_number_check CHECK (number > 0),
  constraint refunds_payer_address_check CHECK (char_length(payer_address) >= 32 AND char_length(payer_address) <= 44),
  constraint refunds_reason_check CHECK (reason = ANY (ARRAY['requested_by_customer'::text, 'duplicate'::text, 'fraudulent'::text, 'overpaid'::text, 'other'::text])),
  constraint refunds_reference_address_check CHECK (char_length(reference_address) >= 32 AND char_length(reference_address) <= 44),
  constraint refunds_sends_check CHECK (sends >= 0),
  constraint refunds_sent_base_units_check CHECK (sent_base_units >= 0::numeric),
  constraint refunds_sent_signature_check CHECK (char_length(sent_signature) >= 1 AND char_length(sent_signature) <= 88),
  constraint refunds_status_check CHECK (status = ANY (ARRAY['awaiting_address'::text, 'ready'::text, 'processing'::text, 'succeeded'::text, 'canceled'::text, 'expired'::text]))
);
CREATE UNIQUE INDEX refunds_by_claim_token ON refunds USING btree (claim_token_hash) WHERE claim_token_hash IS NOT NULL;
CREATE INDEX refunds_by_customer ON refunds USING btree (merchant_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX refunds_by_exception ON refunds USING btree (merchant_id, exception_id, id) WHERE exception_id IS NOT NULL;
CREATE INDEX refunds_by_intent ON refunds USING btree (merchant_id, payment_intent_id, id) WHERE payment_intent_id IS NOT NULL;
CREATE INDEX refunds_by_invoice ON refunds USING btree (merchant_id, invoice_id, id) WHERE invoice_id IS NOT NULL;
CREATE INDEX refunds_by_metadata ON refunds USING gin (jsonb_set('{}'::jsonb, ARRAY[merchant_id::text], metadata) jsonb_path_ops) WHERE metadata <> '{}'::jsonb;
CREATE INDEX refunds_by_project ON refunds USING btree (merchant_id, project_id, id) WHERE project_id IS NOT NULL;
CREATE UNIQUE INDEX refunds_by_reference ON refunds USING btree (reference_address);
CREATE INDEX refunds_by_signature ON refunds USING btree (merchant_id, tx_signature) WHERE tx_signature IS NOT NULL;
CREATE INDEX refunds_by_status ON refunds USING btree (merchant_id, status, id);
CREATE INDEX refunds_open_to_check ON refunds USING btree (check_at) WHERE status = ANY (ARRAY['ready'::text, 'processing'::text]);
CREATE INDEX refunds_over_to_check ON refunds USING btree (check_at) WHERE check_at IS NOT NULL AND (status = ANY (ARRAY['succeeded'::text, 'canceled'::text, 'expired'::text]));
CREATE INDEX refunds_succeeded ON refunds USING btree (merchant_id, succeeded_at) WHERE status = 'succeeded'::text;
CREATE INDEX refunds_to_expire ON refunds USING btree (expires_at) WHERE status = ANY (ARRAY['awaiting_address'::text, 'ready'::text]);
CREATE INDEX refunds_with_effects ON refunds USING btree (effects_due_at) WHERE effects_due_at IS NOT NULL;
CREATE CONSTRAINT TRIGGER refunds_revenue AFTER UPDATE ON refunds DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.status = 'succeeded'::text AND old.status <> 'succeeded'::text) EXECUTE FUNCTION note_refund();

create table request_logs (
  merchant_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  method text not null,
  path text not null,
  status smallint not null,
  duration_ms integer not null,
  error_code text,
  error_message text,
  caller_trace_id text,
  idempotency_key text,
  request_body text,
  created_at timestamp with time zone not null,
  constraint request_logs_pkey PRIMARY KEY (merchant_id, id),
  constraint request_logs_caller_trace_id_check CHECK (caller_trace_id ~ '^[0-9a-f]{32}$'::text),
  constraint request_logs_duration_ms_check CHECK (duration_ms >= 0),
  constraint request_logs_error_code_check CHECK (char_length(error_code) <= 100),
  constraint request_logs_error_message_check CHECK (char_length(error_message) <= 500),
  constraint request_logs_idempotency_key_check CHECK (char_length(idempotency_key) <= 255),
  constraint request_logs_method_check CHECK (char_length(method) <= 10),
  constraint request_logs_path_check CHECK (char_length(path) <= 500),
  constraint request_logs_request_body_check CHECK (char_length(request_body) <= 4000),
  constraint request_logs_status_check CHECK (status >= 100 AND status <= 599)
);
CREATE INDEX request_logs_by_age ON request_logs USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX request_logs_failed ON request_logs USING btree (merchant_id, id) WHERE status >= 400;

create table reserved_amounts (
  merchant_id uuid not null,
  intent_id uuid not null,
  destination text not null,
  base_units numeric(20,0) not null,
  reserved_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint reserved_amounts_pkey PRIMARY KEY (merchant_id, intent_id, base_units),
  constraint reserved_amounts_base_units_check CHECK (base_units >= 1::numeric AND base_units <= '18446744073709551615'::numeric AND (base_units % 10000::numeric) <> 0::numeric),
  constraint reserved_amounts_check CHECK (ended_at >= reserved_at),
  constraint reserved_amounts_merchant_id_intent_id_fkey FOREIGN KEY (merchant_id, intent_id) REFERENCES payment_intents(merchant_id, id)
);
CREATE UNIQUE INDEX reserved_amounts_by_amount ON reserved_amounts USING btree (destination, base_units);
CREATE INDEX reserved_amounts_ended ON reserved_amounts USING btree (ended_at) WHERE ended_at IS NOT NULL;
CREATE TRIGGER reserved_amounts_of_open_merchants AFTER INSERT ON reserved_amounts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_merchant();

create table revenue_entries (
  merchant_id uuid not null,
  id uuid default gen_random_uuid() not null,
  project_id uuid not null,
  source_id uuid not null,
  customer_id uuid,
  product_id uuid,
  quarter timestamp with time zone not null,
  payments_count bigint default 0 not null,
  gross_cents numeric(38,0) default 0 not null,
  refunds_count bigint default 0 not null,
  refunded_cents numeric(38,0) default 0 not null,
  opened_count bigint default 0 not null,
  completed_count bigint default 0 not null,
  constraint revenue_entries_pkey PRIMARY KEY (merchant_id, id),
  constraint revenue_entries_check CHECK (product_id IS NULL OR customer_id IS NULL)
);

create table revenue_ranges (
  merchant_id uuid not null,
  project_id uuid not null,
  range text not null,
  since timestamp with time zone not null,
  constraint revenue_ranges_pkey PRIMARY KEY (merchant_id, project_id, range),
  constraint revenue_ranges_range_check CHECK (range = ANY (ARRAY['7d'::text, '30d'::text, '3m'::text, '12m'::text]))
);

create table revenue_standings (
  merchant_id uuid not null,
  project_id uuid not null,
  range text not null,
  kind text not null,
  subject_id uuid not null,
  net_cents numeric(38,0) not null,
  payments_count bigint not null,
  constraint revenue_standings_pkey PRIMARY KEY (merchant_id, project_id, range, kind, subject_id),
  constraint revenue_standings_kind_check CHECK (kind = ANY (ARRAY['customer'::text, 'product'::text]))
);
CREATE INDEX revenue_standings_best ON revenue_standings USING btree (merchant_id, project_id, range, kind, net_cents DESC, subject_id);

create table revenue_totals (
  merchant_id uuid not null,
  project_id uuid not null,
  kind text not null,
  span text not null,
  starts_at timestamp with time zone not null,
  subject_id uuid not null,
  payments_count bigint not null,
  gross_cents numeric(38,0) not null,
  refunds_count bigint not null,
  refunded_cents numeric(38,0) not null,
  opened_count bigint not null,
  completed_count bigint not null,
  constraint revenue_totals_pkey PRIMARY KEY (merchant_id, project_id, kind, span, starts_at, subject_id),
  constraint revenue_totals_kind_check CHECK (kind = ANY (ARRAY['all'::text, 'customer'::text, 'product'::text])),
  constraint revenue_totals_span_check CHECK (span = ANY (ARRAY['quarter'::text, 'hour'::text, 'day'::text, 'month'::text]))
);
CREATE INDEX revenue_totals_months ON revenue_totals USING btree (starts_at) INCLUDE (merchant_id, project_id, payments_count) WHERE kind = 'all'::text AND span = 'month'::text;
CREATE TRIGGER revenue_totals_added AFTER INSERT ON revenue_totals REFERENCING NEW TABLE AS added FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0 AND current_setting('florin.restoring'::text, true) IS DISTINCT FROM 'yes'::text) EXECUTE FUNCTION spread_revenue();
CREATE TRIGGER revenue_totals_changed AFTER UPDATE ON revenue_totals REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT WHEN (pg_trigger_depth() = 0 AND current_setting('florin.restoring'::text, true) IS DISTINCT FROM 'yes'::text) EXECUTE FUNCTION spread_revenue();

create table saved_views (
  merchant_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  list text not null,
  name text not null,
  query text not null,
  is_shared boolean not null,
  created_at timestamp with time zone not null,
  constraint saved_views_pkey PRIMARY KEY (merchant_id, id),
  constraint saved_views_list_check CHECK (list ~ '^[a-z-]{1,40}$'::text),
  constraint saved_views_merchant_id_member_id_fkey FOREIGN KEY (merchant_id, member_id) REFERENCES members(merchant_id, id),
  constraint saved_views_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 60),
  constraint saved_views_query_check CHECK (char_length(query) >= 1 AND char_length(query) <= 1000)
);
CREATE UNIQUE INDEX saved_views_by_name ON saved_views USING btree (merchant_id, member_id, list, lower(name));
CREATE INDEX saved_views_shared ON saved_views USING btree (merchant_id) WHERE is_shared;

create table schema_migrations (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  needs_schema integer,
  constraint schema_migrations_pkey PRIMARY KEY (number)
);

create table set_aside_work (
  merchant_id uuid not null,
  work text not null,
  item_id uuid not null,
  reason text not null,
  failures integer not null,
  since timestamp with time zone not null,
  retry_at timestamp with time zone not null,
  constraint set_aside_work_pkey PRIMARY KEY (merchant_id, work, item_id),
  constraint set_aside_work_failures_check CHECK (failures > 0),
  constraint set_aside_work_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint set_aside_work_reason_check CHECK (char_length(reason) >= 1 AND char_length(reason) <= 500),
  constraint set_aside_work_work_check CHECK (char_length(work) >= 1 AND char_length(work) <= 100)
);

create table sign_in_attempts (
  name text not null,
  failures integer not null,
  blocked_until timestamp with time zone not null,
  constraint sign_in_attempts_pkey PRIMARY KEY (name),
  constraint sign_in_attempts_failures_check CHECK (failures > 0)
);
CREATE INDEX sign_in_attempts_old ON sign_in_attempts USING btree (blocked_until);

create table sponsor_days (
  day date not null,
  spent_lamports bigint not null,
  transactions bigint not null,
  constraint sponsor_days_pkey PRIMARY KEY (day),
  constraint sponsor_days_spent_lamports_check CHECK (spent_lamports >= 0),
  constraint sponsor_days_transactions_check CHECK (transactions >= 0)
);

create table sponsor_low (
  address text not null,
  since timestamp with time zone not null,
  constraint sponsor_low_pkey PRIMARY KEY (address),
  constraint sponsor_low_address_check CHECK (char_length(address) >= 32 AND char_length(address) <= 44)
);

create table sponsored_transactions (
  signature text not null,
  merchant_id uuid not null,
  intent_id uuid not null,
  payer text not null,
  via text not null,
  message_hash bytea not null,
  transaction bytea not null,
  fee_lamports bigint not null,
  state text default 'prepared'::text not null,
  has_failed boolean default false not null,
  lapses_at_height bigint,
  created_at timestamp with time zone not null,
  next_check_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  answered_at timestamp with time zone,
  answered_key text,
  constraint sponsored_transactions_pkey PRIMARY KEY (signature),
  constraint sponsored_transactions_fee_lamports_check CHECK (fee_lamports > 0),
  constraint sponsored_transactions_merchant_id_intent_id_fkey FOREIGN KEY (merchant_id, intent_id) REFERENCES payment_intents(merchant_id, id) ON DELETE CASCADE,
  constraint sponsored_transactions_message_hash_check CHECK (octet_length(message_hash) = 32),
  constraint sponsored_transactions_message_hash_key UNIQUE (message_hash),
  constraint sponsored_transactions_payer_check CHECK (char_length(payer) >= 32 AND char_length(payer) <= 44),
  constraint sponsored_transactions_signature_check CHECK (char_length(signature) >= 64 AND char_length(signature) <= 88),
  constraint sponsored_transactions_state_check CHECK (state = ANY (ARRAY['prepared'::text, 'sent'::text, 'landed'::text, 'dropped'::text])),
  constraint sponsored_transactions_transaction_check CHECK (octet_length(transaction) <= 1232),
  constraint sponsored_transactions_via_check CHECK (via = ANY (ARRAY['wallet'::text, 'x402'::text, 'mpp'::text]))
);
CREATE INDEX sponsored_transactions_at_risk ON sponsored_transactions USING btree (created_at) WHERE has_failed OR (state = ANY (ARRAY['prepared'::text, 'sent'::text]));
CREATE INDEX sponsored_transactions_by_intent ON sponsored_transactions USING btree (merchant_id, intent_id);
CREATE INDEX sponsored_transactions_by_payer ON sponsored_transactions USING btree (merchant_id, payer) WHERE state = 'landed'::text;
CREATE INDEX sponsored_transactions_by_time ON sponsored_transactions USING btree (merchant_id, created_at);
CREATE INDEX sponsored_transactions_due ON sponsored_transactions USING btree (next_check_at) WHERE state = ANY (ARRAY['prepared'::text, 'sent'::text]);
CREATE INDEX sponsored_transactions_failed ON sponsored_transactions USING btree (payer, created_at) WHERE has_failed;
CREATE INDEX sponsored_transactions_of_payer ON sponsored_transactions USING btree (payer) WHERE state = ANY (ARRAY['prepared'::text, 'sent'::text]);
CREATE UNIQUE INDEX sponsored_transactions_under_way ON sponsored_transactions USING btree (merchant_id, intent_id) WHERE state = ANY (ARRAY['prepared'::text, 'sent'::text]);
CREATE TRIGGER sponsored_transactions_of_open_merchants AFTER INSERT ON sponsored_transactions REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_merchant();

create table stuck_renewals (
  merchant_id uuid not null,
  subscription_id uuid not null,
  reason text not null,
  since timestamp with time zone not null,
  retry_at timestamp with time zone not null,
  constraint stuck_renewals_pkey PRIMARY KEY (merchant_id, subscription_id),
  constraint stuck_renewals_merchant_id_subscription_id_fkey FOREIGN KEY (merchant_id, subscription_id) REFERENCES subscriptions(merchant_id, id),
  constraint stuck_renewals_reason_check CHECK (char_length(reason) >= 1 AND char_length(reason) <= 500)
);

create table submitted_signatures (
  merchant_id uuid not null,
  intent_id uuid not null,
  signature text not null,
  submitted_at timestamp with time zone not null,
  sends integer default 0 not null,
  lapses_at_height bigint,
  message_hash bytea,
  constraint submitted_signatures_pkey PRIMARY KEY (merchant_id, intent_id, signature),
  constraint submitted_signatures_merchant_id_intent_id_fkey FOREIGN KEY (merchant_id, intent_id) REFERENCES payment_intents(merchant_id, id) ON DELETE CASCADE
);
CREATE INDEX submitted_signatures_by_message ON submitted_signatures USING btree (merchant_id, message_hash) WHERE message_hash IS NOT NULL;
CREATE INDEX submitted_signatures_by_signature ON submitted_signatures USING btree (merchant_id, signature);
CREATE TRIGGER sent_payments_of_open_merchants AFTER INSERT ON submitted_signatures REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_merchant();

create table subscriptions (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  customer_id uuid not null,
  price_id uuid not null,
  quantity integer default 1 not null,
  status text default 'incomplete'::text not null,
  merchant_reference text,
  client_reference_id text,
  metadata jsonb default '{}'::jsonb not null,
  success_url text,
  cancel_url text,
  trial_days integer,
  trial_ends_at timestamp with time zone,
  anchor_at timestamp with time zone,
  period_index integer,
  current_period_start timestamp with time zone,
  current_period_end timestamp with time zone,
  paid_through timestamp with time zone,
  cancel_at_period_end boolean default false not null,
  canceled_at timestamp with time zone,
  cancel_reason text,
  grace_ends_at timestamp with time zone,
  renewal_invoice_id uuid,
  latest_invoice_id uuid,
  prepaid_price_id uuid,
  prepaid_quantity integer,
  next_price_id uuid,
  next_quantity integer,
  pending_change jsonb,
  discount_id uuid,
  discount_periods_left integer,
  period_discount_id uuid,
  prepaid_discount_id uuid,
  next_step_at timestamp with time zone,
  reminders_sent integer default 0 not null,
  sequence integer default 0 not null,
  created_at timestamp with time zone not null,
  constraint subscriptions_pkey PRIMARY KEY (merchant_id, id),
  constraint subscriptions_cancel_reason_check CHECK (cancel_reason = ANY (ARRAY['requested'::text, 'payment_overdue'::text])),
  constraint subscriptions_check CHECK ((status <> ALL (ARRAY['active'::text, 'past_due'::text])) OR anchor_at IS NOT NULL),
  constraint subscriptions_check1 CHECK ((status <> ALL (ARRAY['incomplete'::text, 'incomplete_expired'::text])) OR anchor_at IS NULL),
  constraint subscriptions_check10 CHECK ((status <> ALL (ARRAY['incomplete_expired'::text, 'canceled'::text])) OR next_step_at IS NULL AND pending_change IS NULL),
  constraint subscriptions_check11 CHECK (status <> 'past_due'::text OR renewal_invoice_id IS NOT NULL),
  constraint subscriptions_check2 CHECK ((anchor_at IS NULL) = (period_index IS NULL)),
  constraint subscriptions_check3 CHECK ((anchor_at IS NULL) = (current_period_start IS NULL)),
  constraint subscriptions_check4 CHECK ((anchor_at IS NULL) = (current_period_end IS NULL)),
  constraint subscriptions_check5 CHECK ((anchor_at IS NULL) = (paid_through IS NULL)),
  constraint subscriptions_check6 CHECK (current_period_end > current_period_start),
  constraint subscriptions_check7 CHECK (prepaid_price_id IS NULL OR paid_through > current_period_end),
  constraint subscriptions_check8 CHECK ((status = 'canceled'::text) = (canceled_at IS NOT NULL)),
  constraint subscriptions_check9 CHECK ((status = 'canceled'::text) = (cancel_reason IS NOT NULL)),
  constraint subscriptions_discount_check CHECK (discount_periods_left IS NULL OR discount_periods_left > 0 AND discount_id IS NOT NULL),
  constraint subscriptions_merchant_id_project_id_customer_id_fkey FOREIGN KEY (merchant_id, project_id, customer_id) REFERENCES customers(merchant_id, project_id, id),
  constraint subscriptions_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id),
  constraint subscriptions_merchant_id_project_id_id_key UNIQUE (merchant_id, project_id, id),
  constraint subscriptions_merchant_id_project_id_latest_invoice_id_fkey FOREIGN KEY (merchant_id, project_id, latest_invoice_id) REFERENCES invoices(merchant_id, project_id, id) DEFERRABLE,
  constraint subscriptions_merchant_id_project_id_next_price_id_fkey FOREIGN KEY (merchant_id, project_id, next_price_id) REFERENCES prices(merchant_id, project_id, id),
  constraint subscriptions_merchant_id_project_id_prepaid_price_id_fkey FOREIGN KEY (merchant_id, project_id, prepaid_price_id) REFERENCES prices(merchant_id, project_id, id),
  constraint subscriptions_merchant_id_project_id_price_id_fkey FOREIGN KEY (merchant_id, project_id, price_id) REFERENCES prices(merchant_id, project_id, id),
  constraint subscriptions_merchant_id_project_id_renewal_invoice_id_fkey FOREIGN KEY (merchant_id, project_id, renewal_invoice_id) REFERENCES invoices(merchant_id, project_id, id) DEFERRABLE,
  constraint subscriptions_metadata_check CHECK (jsonb_typeof(metadata) = 'object'::text AND octet_length(metadata::text) <= 131072),
  constraint subscriptions_next_quantity_check CHECK (next_quantity IS NULL OR next_quantity >= 1 AND next_quantity <= 10000 AND next_price_id IS NOT NULL),
  constraint subscriptions_pending_change_check CHECK (jsonb_typeof(pending_change) = 'object'::text),
  constraint subscriptions_period_index_check CHECK (period_index >= 0 OR period_index = '-1'::integer AND trial_ends_at IS NOT NULL),
  constraint subscriptions_prepaid_quantity_check CHECK (prepaid_quantity IS NULL OR prepaid_quantity >= 1 AND prepaid_quantity <= 10000 AND prepaid_price_id IS NOT NULL),
  constraint subscriptions_quantity_check CHECK (quantity >= 1 AND quantity <= 10000),
  constraint subscriptions_renewal_is_its_own CHECK (renewal_invoice_id IS NULL OR (status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text])) OR status = 'canceled'::text AND NOT cancel_reason IS DISTINCT FROM 'payment_overdue'::text),
  constraint subscriptions_status_check CHECK (status = ANY (ARRAY['incomplete'::text, 'incomplete_expired'::text, 'trialing'::text, 'active'::text, 'past_due'::text, 'canceled'::text])),
  constraint subscriptions_trial_check CHECK ((trial_days IS NULL OR trial_days >= 1 AND trial_days <= 730) AND (trial_ends_at IS NULL OR trial_days IS NOT NULL) AND (status <> 'trialing'::text OR trial_ends_at IS NOT NULL AND NOT period_index IS DISTINCT FROM '-1'::integer))
);
CREATE INDEX subscriptions_begun ON subscriptions USING btree (merchant_id, COALESCE(trial_ends_at, created_at)) WHERE period_index >= 0;
CREATE INDEX subscriptions_by_customer ON subscriptions USING btree (merchant_id, customer_id, id);
CREATE INDEX subscriptions_by_latest_invoice ON subscriptions USING btree (merchant_id, latest_invoice_id) WHERE latest_invoice_id IS NOT NULL;
CREATE INDEX subscriptions_by_metadata ON subscriptions USING gin (jsonb_set('{}'::jsonb, ARRAY[merchant_id::text], metadata) jsonb_path_ops) WHERE metadata <> '{}'::jsonb;
CREATE INDEX subscriptions_by_project ON subscriptions USING btree (merchant_id, project_id, id);
CREATE INDEX subscriptions_by_renewal_invoice ON subscriptions USING btree (merchant_id, renewal_invoice_id) WHERE renewal_invoice_id IS NOT NULL;
CREATE INDEX subscriptions_canceled ON subscriptions USING btree (merchant_id, canceled_at) WHERE status = 'canceled'::text;
CREATE INDEX subscriptions_due ON subscriptions USING btree (next_step_at) INCLUDE (merchant_id, id, project_id) WHERE next_step_at IS NOT NULL;
CREATE INDEX subscriptions_live ON subscriptions USING btree (merchant_id, price_id) WHERE status = ANY (ARRAY['active'::text, 'past_due'::text]);

create table tax_rates (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  percent_ppm integer not null,
  country text not null,
  category text not null,
  is_default boolean default false not null,
  is_active boolean default true not null,
  created_at timestamp with time zone not null,
  constraint tax_rates_pkey PRIMARY KEY (merchant_id, id),
  constraint tax_rates_category_check CHECK (category = ANY (ARRAY['S'::text, 'Z'::text, 'E'::text, 'AE'::text, 'K'::text, 'G'::text, 'O'::text])),
  constraint tax_rates_country_check CHECK (country ~ '^[A-Z]{2}$'::text),
  constraint tax_rates_default_check CHECK (is_active OR NOT is_default),
  constraint tax_rates_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id),
  constraint tax_rates_merchant_id_project_id_id_key UNIQUE (merchant_id, project_id, id),
  constraint tax_rates_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255),
  constraint tax_rates_percent_check CHECK ((category = 'S'::text) = (percent_ppm > 0)),
  constraint tax_rates_percent_ppm_check CHECK (percent_ppm >= 0 AND percent_ppm <= 1000000)
);
CREATE UNIQUE INDEX tax_rates_default ON tax_rates USING btree (merchant_id, project_id, country) WHERE is_default;

create table terminals (
  merchant_id uuid not null,
  id uuid not null,
  name text,
  is_active boolean default true not null,
  current_intent_id uuid,
  created_at timestamp with time zone not null,
  constraint terminals_pkey PRIMARY KEY (merchant_id, id),
  constraint terminals_merchant_id_current_intent_id_fkey FOREIGN KEY (merchant_id, current_intent_id) REFERENCES payment_intents(merchant_id, id) DEFERRABLE,
  constraint terminals_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint terminals_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 128)
);
CREATE UNIQUE INDEX terminals_by_id ON terminals USING btree (id);

create table till_sales (
  merchant_id uuid not null,
  intent_id uuid not null,
  till_id uuid not null,
  number integer not null,
  lines jsonb not null,
  goods_cents bigint not null,
  tip_cents bigint default 0 not null,
  constraint till_sales_pkey PRIMARY KEY (merchant_id, intent_id),
  constraint till_sales_goods_cents_check CHECK (goods_cents > 0),
  constraint till_sales_merchant_id_intent_id_fkey FOREIGN KEY (merchant_id, intent_id) REFERENCES payment_intents(merchant_id, id) ON DELETE CASCADE,
  constraint till_sales_merchant_id_till_id_fkey FOREIGN KEY (merchant_id, till_id) REFERENCES tills(merchant_id, id),
  constraint till_sales_merchant_id_till_id_number_key UNIQUE (merchant_id, till_id, number),
  constraint till_sales_number_check CHECK (number > 0),
  constraint till_sales_tip_cents_check CHECK (tip_cents >= 0)
);

create table tills (
  merchant_id uuid not null,
  id uuid not null,
  terminal_id uuid not null,
  project_id uuid not null,
  name text,
  tip_percents integer[] default '{}'::integer[] not null,
  code_hash bytea,
  code_expires_at timestamp with time zone,
  key_hash bytea,
  sale_count integer default 0 not null,
  created_at timestamp with time zone not null,
  paired_at timestamp with time zone,
  last_seen_at timestamp with time zone,
  unpaired_at timestamp with time zone,
  constraint tills_pkey PRIMARY KEY (merchant_id, id),
  constraint tills_check CHECK ((code_hash IS NULL) = (code_expires_at IS NULL)),
  constraint tills_check1 CHECK ((key_hash IS NULL) = (paired_at IS NULL)),
  constraint tills_check2 CHECK (code_hash IS NULL OR paired_at IS NULL AND unpaired_at IS NULL),
  constraint tills_code_hash_check CHECK (octet_length(code_hash) = 32),
  constraint tills_key_hash_check CHECK (octet_length(key_hash) = 32),
  constraint tills_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint tills_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id),
  constraint tills_merchant_id_terminal_id_fkey FOREIGN KEY (merchant_id, terminal_id) REFERENCES terminals(merchant_id, id),
  constraint tills_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 128),
  constraint tills_sale_count_check CHECK (sale_count >= 0),
  constraint tills_tip_percents_check CHECK (cardinality(tip_percents) <= 4)
);
CREATE UNIQUE INDEX tills_by_code ON tills USING btree (code_hash) WHERE code_hash IS NOT NULL;
CREATE UNIQUE INDEX tills_by_key ON tills USING btree (key_hash) WHERE key_hash IS NOT NULL;
CREATE INDEX tills_by_project ON tills USING btree (merchant_id, project_id);
CREATE UNIQUE INDEX tills_one_per_terminal ON tills USING btree (merchant_id, terminal_id) WHERE unpaired_at IS NULL;

create table trials (
  merchant_id uuid not null,
  session_id uuid not null,
  product_id uuid not null,
  customer_id uuid,
  email text,
  is_typed boolean default false not null,
  created_at timestamp with time zone not null,
  constraint trials_pkey PRIMARY KEY (merchant_id, session_id),
  constraint trials_email_check CHECK (char_length(email) <= 254),
  constraint trials_merchant_id_product_id_fkey FOREIGN KEY (merchant_id, product_id) REFERENCES products(merchant_id, id),
  constraint trials_merchant_id_session_id_fkey FOREIGN KEY (merchant_id, session_id) REFERENCES checkout_sessions(merchant_id, id) DEFERRABLE INITIALLY DEFERRED
);
CREATE UNIQUE INDEX trials_by_customer ON trials USING btree (merchant_id, product_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE UNIQUE INDEX trials_by_known_email ON trials USING btree (merchant_id, product_id, email) WHERE email IS NOT NULL AND NOT is_typed;
CREATE UNIQUE INDEX trials_by_typed_email ON trials USING btree (merchant_id, product_id, email) WHERE email IS NOT NULL AND is_typed;

create table undispatched_events (
  ordinal bigint not null,
  merchant_id uuid not null,
  event_id uuid not null,
  constraint undispatched_events_pkey PRIMARY KEY (ordinal)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
CREATE INDEX undispatched_events_by_merchant ON undispatched_events USING btree (merchant_id, ordinal);
CREATE TRIGGER undispatched_events_are_numbered AFTER DELETE ON undispatched_events REFERENCING OLD TABLE AS dispatched FOR EACH STATEMENT EXECUTE FUNCTION number_dispatched();

create table unreadable_transactions (
  destination text not null,
  signature text not null,
  slot bigint not null,
  reason text not null,
  attempts integer not null,
  first_seen_at timestamp with time zone not null,
  next_attempt_at timestamp with time zone not null,
  constraint unreadable_transactions_pkey PRIMARY KEY (destination, signature),
  constraint unreadable_transactions_attempts_check CHECK (attempts > 0),
  constraint unreadable_transactions_destination_fkey FOREIGN KEY (destination) REFERENCES watched_accounts(destination)
);
CREATE INDEX unreadable_transactions_due ON unreadable_transactions USING btree (destination, next_attempt_at);

create table usage_records (
  merchant_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  metric text not null,
  quantity bigint not null,
  customer_id uuid,
  subscription_id uuid,
  idempotency_key text not null,
  credits bigint default 0 not null,
  created_at timestamp with time zone not null,
  constraint usage_records_pkey PRIMARY KEY (merchant_id, id),
  constraint usage_records_credits_check CHECK (credits >= 0),
  constraint usage_records_idempotency_key_check CHECK (char_length(idempotency_key) >= 1 AND char_length(idempotency_key) <= 255),
  constraint usage_records_merchant_id_project_id_customer_id_fkey FOREIGN KEY (merchant_id, project_id, customer_id) REFERENCES customers(merchant_id, project_id, id),
  constraint usage_records_merchant_id_project_id_fkey FOREIGN KEY (merchant_id, project_id) REFERENCES projects(merchant_id, id),
  constraint usage_records_merchant_id_project_id_subscription_id_fkey FOREIGN KEY (merchant_id, project_id, subscription_id) REFERENCES subscriptions(merchant_id, project_id, id),
  constraint usage_records_metric_check CHECK (metric ~ '^[a-z0-9_.:-]{1,64}$'::text),
  constraint usage_records_quantity_check CHECK (quantity >= 1 AND quantity <= 1000000000)
);
CREATE INDEX usage_records_by_customer ON usage_records USING btree (merchant_id, customer_id, id) WHERE customer_id IS NOT NULL;
CREATE INDEX usage_records_by_metric ON usage_records USING btree (merchant_id, project_id, metric, id);
CREATE UNIQUE INDEX usage_records_once ON usage_records USING btree (merchant_id, project_id, idempotency_key);

create table watched_accounts (
  destination text not null,
  account text not null,
  merchant_id uuid not null,
  watch_since timestamp with time zone not null,
  watch_until timestamp with time zone not null,
  cursor_signature text,
  cursor_slot bigint,
  read_through timestamp with time zone,
  next_poll_at timestamp with time zone not null,
  last_problem text,
  next_rescan_at timestamp with time zone not null,
  proven_slot bigint,
  proven_balance numeric(20,0),
  last_read_at timestamp with time zone,
  problem_since timestamp with time zone,
  listed_through timestamp with time zone,
  unlisted_from timestamp with time zone,
  unlisted_until timestamp with time zone,
  constraint watched_accounts_pkey PRIMARY KEY (destination),
  constraint watched_accounts_check CHECK (watch_until > watch_since),
  constraint watched_accounts_check1 CHECK ((proven_slot IS NULL) = (proven_balance IS NULL)),
  constraint watched_accounts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint watched_accounts_unlisted CHECK ((unlisted_from IS NULL) = (unlisted_until IS NULL) AND unlisted_from <= unlisted_until)
);
CREATE INDEX watched_accounts_due ON watched_accounts USING btree (next_poll_at);
CREATE INDEX watched_accounts_rescan ON watched_accounts USING btree (next_rescan_at);

create table webhook_deliveries (
  merchant_id uuid not null,
  id uuid not null,
  endpoint_id uuid,
  event_id uuid not null,
  event text not null,
  ordinal bigint not null,
  ordering_key uuid not null,
  resend_of uuid,
  url text not null,
  status text default 'pending'::text not null,
  attempt_count smallint default 0 not null,
  attempts jsonb default '[]'::jsonb not null,
  http_status smallint,
  error text,
  duration_ms integer,
  response_body text,
  next_attempt_at timestamp with time zone,
  holds_order_until timestamp with time zone,
  lease_id uuid,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null,
  delivered_at timestamp with time zone,
  constraint webhook_deliveries_pkey PRIMARY KEY (merchant_id, id),
  constraint webhook_deliveries_attempt_count_check CHECK (attempt_count >= 0 AND attempt_count <= 12),
  constraint webhook_deliveries_check CHECK ((status = ANY (ARRAY['pending'::text, 'retrying'::text])) = (next_attempt_at IS NOT NULL)),
  constraint webhook_deliveries_check1 CHECK ((status = 'pending'::text) = (attempt_count = 0)),
  constraint webhook_deliveries_check2 CHECK ((status = 'succeeded'::text) = (delivered_at IS NOT NULL)),
  constraint webhook_deliveries_check3 CHECK (status <> 'failed'::text OR error IS NOT NULL),
  constraint webhook_deliveries_check4 CHECK ((lease_id IS NULL) = (lease_until IS NULL)),
  constraint webhook_deliveries_check5 CHECK (lease_id IS NULL OR next_attempt_at IS NOT NULL),
  constraint webhook_deliveries_endpoint CHECK (endpoint_id IS NOT NULL OR next_attempt_at IS NULL),
  constraint webhook_deliveries_status_check CHECK (status = ANY (ARRAY['pending'::text, 'succeeded'::text, 'retrying'::text, 'failed'::text]))
) with (fillfactor=70);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries USING btree (endpoint_id, id) WHERE endpoint_id <> merchant_id;
CREATE UNIQUE INDEX webhook_deliveries_by_event ON webhook_deliveries USING btree (merchant_id, event_id, COALESCE(endpoint_id, merchant_id)) WHERE resend_of IS NULL;
CREATE INDEX webhook_deliveries_by_ordering_key ON webhook_deliveries USING btree (endpoint_id, ordering_key, ordinal) WHERE next_attempt_at IS NOT NULL AND resend_of IS NULL;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (endpoint_id, next_attempt_at, ordinal) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_in_trouble ON webhook_deliveries USING btree (merchant_id, id) WHERE status = ANY (ARRAY['retrying'::text, 'failed'::text]);
CREATE INDEX webhook_deliveries_resent ON webhook_deliveries USING btree (merchant_id, event_id) WHERE resend_of IS NOT NULL;

create table webhook_endpoints (
  id uuid not null,
  merchant_id uuid not null,
  kind text default 'webhook'::text not null,
  name text,
  url text,
  secret bytea,
  previous_secret bytea,
  previous_secret_until timestamp with time zone,
  chat_id text,
  member_id uuid,
  event_types text[],
  is_active boolean default true not null,
  created_at timestamp with time zone,
  claim_at timestamp with time zone,
  settled_through bigint default 0 not null,
  summary_hour smallint default 8 not null,
  summary_time_zone text default 'UTC'::text not null,
  summary_at timestamp with time zone,
  summary_since timestamp with time zone,
  constraint webhook_endpoints_pkey PRIMARY KEY (id),
  constraint webhook_endpoints_chat_id_check CHECK (char_length(chat_id) >= 1 AND char_length(chat_id) <= 64),
  constraint webhook_endpoints_event_types_check CHECK (cardinality(event_types) >= 1 AND cardinality(event_types) <= 100),
  constraint webhook_endpoints_first CHECK ((id = merchant_id) = (url IS NULL)),
  constraint webhook_endpoints_kind_check CHECK (kind = ANY (ARRAY['webhook'::text, 'slack'::text, 'discord'::text, 'telegram'::text, 'https'::text, 'email'::text])),
  constraint webhook_endpoints_member_fkey FOREIGN KEY (merchant_id, member_id) REFERENCES members(merchant_id, id),
  constraint webhook_endpoints_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  constraint webhook_endpoints_name_check CHECK (char_length(name) >= 1 AND char_length(name) <= 255),
  constraint webhook_endpoints_notification CHECK (kind = 'webhook'::text OR id <> merchant_id AND event_types IS NOT NULL AND previous_secret IS NULL),
  constraint webhook_endpoints_others CHECK ((id = merchant_id OR kind = 'email'::text) = (secret IS NULL) AND (id = merchant_id OR created_at IS NOT NULL)),
  constraint webhook_endpoints_overlap CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL)),
  constraint webhook_endpoints_recipient CHECK ((kind = 'telegram'::text) = (chat_id IS NOT NULL) AND (kind = 'email'::text) = (member_id IS NOT NULL)),
  constraint webhook_endpoints_summary CHECK ((summary_at IS NULL) = (summary_since IS NULL) AND (summary_at IS NULL OR kind <> 'webhook'::text)),
  constraint webhook_endpoints_summary_hour_check CHECK (summary_hour >= 0 AND summary_hour <= 23),
  constraint webhook_endpoints_summary_time_zone_check CHECK (char_length(summary_time_zone) >= 1 AND char_length(summary_time_zone) <= 64),
  constraint webhook_endpoints_url_check CHECK (char_length(url) >= 1 AND char_length(url) <= 2048)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
CREATE INDEX webhook_endpoints_by_merchant ON webhook_endpoints USING btree (merchant_id, id);
CREATE INDEX webhook_endpoints_by_summary ON webhook_endpoints USING btree (summary_at) WHERE summary_at IS NOT NULL;
CREATE INDEX webhook_endpoints_due ON webhook_endpoints USING btree (claim_at) WHERE claim_at IS NOT NULL;
