import type pg from 'pg';

/** Projects of every merchant, each with a monthly price. */
export const MAKE_PLANS = `
  with places as (
    select id as merchant, uuidv7() as project, uuidv7() as product, uuidv7() as price, n
      from merchants, generate_series(0, $1::int - 1) as n
  ), new_projects as (
    insert into projects (merchant_id, id, name, created_at, updated_at)
    select merchant, project, 'bench ' || n, now(), now() from places
  ), new_products as (
    insert into products (merchant_id, id, project_id, name, created_at)
    select merchant, product, project, 'Coffee', now() from places
  ), new_prices as (
    insert into prices (merchant_id, id, project_id, product_id, unit_amount_cents, billing_mode, recurring_interval,
                        recurring_interval_count, created_at)
    select merchant, price, project, product, 500, 'subscription', 'month', 1, now() from places
  )
  select merchant, project, price from places order by n`;

/** Subscription n, with a customer of its own, belongs to project n modulo their number; none of them is due. */
export async function fillSubscriptions(db: pg.Client, from: number, to: number): Promise<void> {
  // Foreign keys are not checked row by row here; everything named exists.
  await db.query('set session_replication_role = replica');
  await db.query(`create table if not exists bench_subscriptions (n bigint primary key, merchant_id uuid, id uuid,
                                                                   project_id uuid, price_id uuid)`);
  await db.query(
    `insert into bench_subscriptions
     select n, p.merchant_id, uuidv7(), p.projects[1 + n % cardinality(p.projects)], p.prices[1 + n % cardinality(p.prices)]
       from generate_series($1::bigint, $2::bigint) as n,
            (select merchant_id, array_agg(project_id order by id) as projects, array_agg(id order by id) as prices
               from prices where recurring_interval = 'month' group by merchant_id) p`,
    [from, to],
  );
  await db.query(
    `insert into customers (merchant_id, id, project_id, external_customer_id, email, email_source, created_at)
     select merchant_id, id, project_id, 'user-' || n, 'user-' || n || '@example.com', 'merchant', now()
       from bench_subscriptions where n between $1 and $2`,
    [from, to],
  );
  await db.query(
    `insert into subscriptions (merchant_id, id, project_id, customer_id, price_id, status, anchor_at, period_index,
                                current_period_start, current_period_end, paid_through, next_step_at, sequence,
                                created_at)
     select merchant_id, id, project_id, id, price_id, 'active', date_trunc('day', now()) - interval '25 days', 0,
            date_trunc('day', now()) - interval '25 days',
            date_trunc('day', now()) - interval '25 days' + interval '1 month',
            date_trunc('day', now()) - interval '25 days' + interval '1 month',
            now() + interval '1 day' + n % 28 * interval '1 day', 2, now()
       from bench_subscriptions where n between $1 and $2`,
    [from, to],
  );
  await db.query('reset session_replication_role');
  await db.query('vacuum analyze bench_subscriptions, customers, subscriptions');
}
