import type pg from 'pg';
import { fillQuickly, withoutIndexes } from './fill-quickly.ts';

export interface Past {
  days: number;
  projectsEach: number;
  /** Number of prices of each project, which its lines take in turn; 0: lines have no price. */
  pricesEach: number;
}

const USUAL: Past = { days: 90, projectsEach: 4, pricesEach: 0 };
/** Number of sessions of each customer who buys at all. */
const SESSIONS_EACH = 20;
/** Number of a merchant's open sessions, and of canceled ones, however many sessions there are. */
const FEW = 40;

/**
 * A past of billing: as many customers, intents, sessions and invoices, of these merchants in turn, spread evenly over
 * 90 days unless told otherwise, with ids made from their time. Seven in ten were paid; a few are still open, and a few
 * were canceled.
 */
export async function fillBilling(
  db: pg.Client,
  merchantIds: readonly string[],
  count: number,
  { days, projectsEach, pricesEach }: Past = USUAL,
): Promise<void> {
  // A multiple of all places, so that customers buy in their own project.
  const places = merchantIds.length * projectsEach;
  const buyers = Math.max(Math.floor(count / SESSIONS_EACH / places), 1) * places;
  // Odd, so that all projects get some.
  const every = Math.floor(count / merchantIds.length / FEW) | 1;
  await fillQuickly(db, Object.keys(FILL), async () => {
    await db.query(MAKE_PROJECTS, [merchantIds, projectsEach]);
    for (const make of MAKE_PRICES) await db.query(make, [pricesEach]);
    await db.query(DRAW, [merchantIds, count, days * 86_400, buyers, every]);
    await db.query(PRICE);
    for (const [table, fill] of Object.entries(FILL)) await withoutIndexes(db, table, () => db.query(fill));
    await db.query('drop table past');
  });
}

const MAKE_PROJECTS = `
  insert into projects (merchant_id, id, name, created_at, updated_at)
  select m, uuidv7(), 'Project ' || n, now(), now() from unnest($1::uuid[]) as m, generate_series(1, $2::int) as n`;

const MAKE_PRICES = [
  `insert into products (merchant_id, id, project_id, name, created_at)
   select merchant_id, uuidv7(), id, 'Product ' || n, now() from projects, generate_series(1, $1::int) as n`,
  `insert into prices (merchant_id, id, project_id, product_id, unit_amount_cents, billing_mode, created_at)
   select merchant_id, uuidv7(), project_id, id, 500, 'one_time', now() from products where $1::int > 0`,
];

const DRAW = `
  create temp table past as
  with places as materialized (
    select merchant_id, array_agg(id order by id) as projects from projects group by merchant_id
  ), drawn as materialized (
    select n, ($1::uuid[])[1 + n % cardinality($1::uuid[])] as merchant, random() as luck,
           uuidv7(make_interval(secs => -3600 - ($2::bigint - n) * $3::float8 / $2::bigint)) as id,
           gen_random_uuid() as random
      from generate_series(1, $2::bigint) as n
  )
  select d.n, d.merchant, p.projects[1 + d.n / cardinality($1::uuid[]) % cardinality(p.projects)] as project, d.id,
         1 + (d.n - 1) % $4::bigint as customer_n, d.random,
         uuid_extract_timestamp(d.id) as created_at, (100 + 50000 * d.luck)::bigint as cents,
         case d.n / cardinality($1::uuid[]) % $5::bigint when 0 then 'canceled' when 1 then 'open'
              else case when d.luck < 0.70 then 'complete' else 'expired' end end as status
    from drawn d join places p on p.merchant_id = d.merchant`;

const PRICE = `
  alter table past add column price uuid;
  with sold as materialized (select project_id, array_agg(id) as prices from prices group by project_id)
  update past set price = sold.prices[1 + (past.n * past.n) % cardinality(sold.prices)]
    from sold where sold.project_id = past.project`;

/** 32 bytes in base58. */
const ADDRESS = `'z' || translate(replace(past.random::text, '-', '') || left(md5(past.id::text), 10), '0', 'z')`;

const FILL = {
  customers: `
    insert into customers (merchant_id, id, project_id, external_customer_id, email, email_source, name, created_at)
    select merchant, id, project, 'user-' || n, 'user-' || n || '@example.com', 'merchant', 'Kim Buyer-' || n, created_at from past`,
  payment_intents: `
    insert into payment_intents (merchant_id, id, order_id, expected_amount_cents, received_base_units,
                                 reference_address, destination_address, status, sequence, created_at, expires_at,
                                 succeeded_at, session_ordering_key)
    select past.merchant, past.id, 'order-' || n, cents, case past.status when 'complete' then cents * 10000 else 0 end,
           ${ADDRESS}, m.payout_address,
           case past.status when 'complete' then 'succeeded' when 'open' then 'pending' else past.status end, 1, past.created_at,
           past.created_at + interval '1 day',
           case past.status when 'complete' then past.created_at + interval '1 minute' end, past.id
      from past join merchants m on m.id = past.merchant`,
  checkout_sessions: `
    insert into checkout_sessions (merchant_id, id, project_id, mode, origin, status, payment_status, amount_cents,
                                   customer_id, external_customer_id, customer_email, merchant_reference, payment_intent_id, token,
                                   checkout_url, volume_month, sequence, created_at, expires_at, completed_at)
    select s.merchant, s.id, s.project, 'one_time', 'key', s.status,
           case s.status when 'complete' then 'paid' else 'unpaid' end, s.cents, c.id, 'user-' || c.n, 'user-' || c.n || '@example.com', 'order-' || s.n,
           s.id, 'cs_' || replace(s.random::text, '-', ''),
           'http://127.0.0.1/checkout/cs_' || replace(s.random::text, '-', ''),
           case when s.status in ('complete', 'open') then date_trunc('month', s.created_at)::date end, 2, s.created_at,
           s.created_at + interval '1 day',
           case s.status when 'complete' then s.created_at + interval '1 minute' end
      from past s join past c on c.n = s.customer_n`,
  invoices: `
    insert into invoices (merchant_id, id, project_id, number, number_text, customer_id, checkout_session_id, status,
                          billing_reason, lines, subtotal_cents, total_cents, amount_paid_cents, due_at,
                          merchant_reference, sequence, created_at, paid_at)
    select s.merchant, s.id, s.project, s.n, 'INV-' || s.n, c.id, s.id,
           case s.status when 'complete' then 'paid' when 'canceled' then 'void' when 'expired' then 'uncollectible'
                         else 'open' end,
           'one_time', jsonb_build_array(jsonb_build_object(
             'description', 'Coffee', 'quantity', 1, 'unitAmountCents', s.cents, 'amountCents', s.cents,
             'priceId', s.price, 'periodStart', null, 'periodEnd', null)),
           s.cents, s.cents, case s.status when 'complete' then s.cents else 0 end, s.created_at + interval '1 day',
           'order-' || s.n, 2, s.created_at, case s.status when 'complete' then s.created_at + interval '1 minute' end
      from past s join past c on c.n = s.customer_n`,
};
