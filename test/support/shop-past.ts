/** Functions that draw a shop's past: the same n always draws the same lot. */
export const DRAWING = {
  /** Evenly spread over [0, 1). */
  luck: `
    create or replace function pg_temp.luck(n bigint, what text) returns float8 immutable language sql as
    $$ select ('x' || left(md5(what || n), 8))::bit(32)::bigint / 4294967296.0 $$`,

  name: `
    create or replace function pg_temp.name_of(n bigint) returns text immutable language sql as $$
      select (string_to_array('Ada Amara Amir Anna Beatriz Bruno Carmen Chen Clara Dario Elena Emeka Erik Fatima Felix Freya Hana Hugo Ines Ivan Jonas Julia Kofi Lars Leila Lina Lucas Maya Mei Milan Nadia Noor Omar Paula Priya Rafael Sofia Tomas Yuki Zoe', ' '))[1 + floor(pg_temp.luck(n, 'first') * 40)::int]
        || ' ' || (string_to_array('Abebe Alvarez Andersson Bauer Bianchi Castro Cohen Costa Diallo Dubois Eriksen Fischer Garcia Haddad Hansen Ito Jansen Kaya Kim Kowalski Larsen Lopez Mensah Meyer Moreau Nakamura Novak Okafor Oliveira Park Patel Petrov Rossi Sato Schmidt Silva Singh Tanaka Wagner Zhang', ' '))[1 + floor(pg_temp.luck(n, 'last') * 40)::int]
    $$`,

  /** More on later days, fewer on weekends, most at noon; today as far as it has come. */
  moments: `
    create temp table moments as
    with days as (
      select start, case when d = 0 then extract(epoch from now() - start)::float8 / 86400 else 1 end as part,
             (1.3 - d / 60.0) * (0.8 + 0.4 * pg_temp.luck(d, 'day'))
               * case when extract(isodow from start) >= 6 then 0.55 else 1 end as weight
        from (select d, date_trunc('day', now(), 'UTC') - make_interval(days => d) as start
                from generate_series(0, $2::int) as d) as listed
    ), sized as (
      select start, part, ceil($1::int * weight * part / sum(weight * part) over ())::int as size from days
    ), listed as (
      select row_number() over (order by at) as n, at
        from (select start + part * interval '1 day'
                       * (pg_temp.luck(i, start::text) + pg_temp.luck(i, 'and' || start)) / 2 as at
                from sized, generate_series(1, size) as i) as drawn
       where at < now() - interval '1 minute'
    )
    select n, at, 1 + floor((n - 1) * pg_temp.luck(n, 'who'))::bigint as customer_n, pg_temp.luck(n, 'what') as what,
           pg_temp.luck(n, 'place') as place, pg_temp.luck(n, 'link') < 0.6 as by_link,
           pg_temp.luck(n, 'plain') < 0.25 as is_plain,
           case when at > now() - interval '20 hours' and pg_temp.luck(n, 'open') < 0.15 then 'open'
                when pg_temp.luck(n, 'end') < 0.82 then 'complete'
                when pg_temp.luck(n, 'end') < 0.95 then 'expired' else 'canceled' end as status
      from listed`,

  people: `
    create temp table people as
    with places as (select array_agg(id order by id) as ids from projects where merchant_id = $1)
    select n, uuidv7(at - interval '2 minutes' - clock_timestamp()) as id,
           ids[1 + floor(place * cardinality(ids))::int] as project
      from moments, places`,

  /** Everybody buys in the project they belong to, after they came. */
  past: `
    create temp table past as
    with offers as materialized (
      select p.id as price, p.project_id as project, p.unit_amount_cents as cents, p.billing_mode as mode, p.credit_amount,
             r.name as product,
             make_interval(months => case p.recurring_interval when 'month' then 1 when 'year' then 12 end) as period,
             row_number() over (partition by p.project_id order by p.id) as at,
             count(*) over (partition by p.project_id) as many,
             (select id from payment_links l where l.merchant_id = $1 and l.price_id = p.id limit 1) as link
        from prices p join products r on r.merchant_id = p.merchant_id and r.id = p.product_id where p.merchant_id = $1
    ), terminal as (
      select min(id::text)::uuid as id from terminals where merchant_id = $1
    ), bought as materialized (
      select m.*, me.id as self, me.project as home, c.id as customer, c.project from moments m
        join people me on me.n = m.n join people c on c.n = m.customer_n
    )
    select b.n, $1::uuid as merchant, uuidv7(b.at - clock_timestamp()) as id, gen_random_uuid() as random, b.at,
           self, home, customer, customer_n, b.project, price, cents, mode, credit_amount, product, period, is_plain,
           status,
           case status when 'complete' then 'succeeded' when 'open' then 'pending'
                when 'expired' then case when is_plain and n % 13 = 0 then 'underpaid' else 'expired' end
                else 'canceled' end as intent_status,
           case when is_plain and n % 3 = 0 then terminal.id end as terminal, case when by_link then link end as link,
           translate(md5(n || 'a') || md5(n || 'b') || left(md5(n || 'c'), 23), '0', 'Z') as signature
      from bought b cross join terminal
      join offers o on o.project = b.project and o.at = 1 + floor(b.what * o.many)::int`,
};
