-- What a year of very many payments is read from. Everything together also has totals by hour, day and month, and those of all
-- projects together under an id of all ones. Busy projects have standings: what each customer and product brought since a
-- range of the home page begins. Triggers keep both up to date, so that the release before this one does so too.
alter table revenue_totals validate constraint revenue_totals_span_check;

-- Since when standings of a project count; those without a row here have none.
create table revenue_ranges (
  merchant_id uuid not null,
  project_id uuid not null,
  range text not null check (range in ('7d', '30d', '3m', '12m')),
  since timestamptz not null,
  primary key (merchant_id, project_id, range)
);

create table revenue_standings (
  merchant_id uuid not null,
  project_id uuid not null,
  range text not null,
  kind text not null check (kind in ('customer', 'product')),
  subject_id uuid not null,
  net_cents numeric(38,0) not null,
  payments_count bigint not null,
  primary key (merchant_id, project_id, range, kind, subject_id)
);
create index revenue_standings_best on revenue_standings (merchant_id, project_id, range, kind, net_cents desc, subject_id);

-- The totals that a quarter of a project is part of, besides its own.
create function wider_totals(project uuid, quarter timestamptz)
  returns table (project_id uuid, span text, starts_at timestamptz) language sql immutable parallel safe
as $$
  select p.project_id, s.span, s.starts_at
    from (values (project), ('ffffffff-ffff-ffff-ffff-ffffffffffff')) as p(project_id)
   cross join (values ('quarter', quarter), ('hour', date_trunc('hour', quarter, 'UTC')),
                      ('day', date_trunc('day', quarter, 'UTC')),
                      ('month', date_trunc('month', quarter, 'UTC'))) as s(span, starts_at)
   where (p.project_id, s.span) <> (project, 'quarter')
$$;

create function spread_revenue() returns trigger language plpgsql as $$
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
$$;

-- Nothing is added up between this and the triggers; what is being read is not disturbed.
lock table revenue_totals in share row exclusive mode;
insert into revenue_totals (merchant_id, project_id, kind, span, starts_at, subject_id, payments_count, gross_cents,
                            refunds_count, refunded_cents, opened_count, completed_count)
select t.merchant_id, w.project_id, t.kind, w.span, w.starts_at, t.subject_id, sum(t.payments_count), sum(t.gross_cents),
       sum(t.refunds_count), sum(t.refunded_cents), sum(t.opened_count), sum(t.completed_count)
  from revenue_totals t cross join lateral wider_totals(t.project_id, t.starts_at) w
 where t.kind = 'all' and t.span = 'quarter'
 group by 1, 2, 3, 4, 5, 6;

-- Not of what they write themselves, and not of rows that a restore copies.
create trigger revenue_totals_added after insert on revenue_totals referencing new table as added for each statement
  when (pg_trigger_depth() = 0 and current_setting('florin.restoring', true) is distinct from 'yes')
  execute function spread_revenue();
create trigger revenue_totals_changed after update on revenue_totals referencing old table as before new table as after
  for each statement
  when (pg_trigger_depth() = 0 and current_setting('florin.restoring', true) is distinct from 'yes')
  execute function spread_revenue();

-- Which projects are busy.
create index revenue_totals_months on revenue_totals (starts_at) include (merchant_id, project_id, payments_count)
  where kind = 'all' and span = 'month';
