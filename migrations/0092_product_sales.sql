-- Sales of a product are what its lines cost without tax, and how many of it they sold. Before, tax that a price contains was in
-- them, and each line counted as one. A line that takes unused time off sells nothing.
create function sold_by_line(line jsonb, out quantity bigint, out net_cents numeric) language sql immutable parallel safe
as $$
  select case when (line ->> 'amountCents')::numeric < 0 then 0 else (line ->> 'quantity')::bigint end,
         (line ->> 'amountCents')::numeric - coalesce((line ->> 'discountCents')::numeric, 0)
           - case line -> 'tax' ->> 'behavior' when 'inclusive' then (line ->> 'taxCents')::numeric else 0 end
$$;

create or replace function note_sale() returns trigger language plpgsql as $$
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
$$;

-- What is to be counted again from the beginning: a job does that, a few rows at a time, with what was sold before this.
create table revenue_recounts (
  kind text primary key check (kind in ('product'))
);
insert into revenue_recounts (kind) select 'product' where exists (select from invoices);
