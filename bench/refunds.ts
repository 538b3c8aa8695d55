import type pg from 'pg';
import type { BenchResult, BenchRun } from './bench.ts';
import { comparePages } from './compare-pages.ts';

/** Number of refunded payments: the same in both shops, so that only the number of refunds differs. */
const PAYMENTS = 10_000;

/** Pages of refunds. */
export function refunds(run: BenchRun): Promise<BenchResult> {
  const fill = { shopRows: PAYMENTS, rows: fillRefunds };
  return comparePages(run, { paths: PATHS, findSome: FIND_SOME, fill, atLeast: 0.9 });
}

interface Some {
  project: string;
  customer: string;
  intent: string;
}

const PATHS: Record<string, (some: Some) => string> = {
  newest: () => '/refunds?limit=20',
  ready: () => '/refunds?limit=20&status=ready',
  'two statuses': () => '/refunds?limit=20&status=ready&status=succeeded',
  'of a project': ({ project }) => `/refunds?limit=20&projectId=${project}`,
  'of a customer': ({ customer }) => `/refunds?limit=20&customerId=${customer}`,
  'of a payment': ({ intent }) => `/refunds?limit=20&paymentIntentId=${intent}`,
};

/** Fills in this number of refunds of the payments, in turn; seven in ten have succeeded. Nothing looks them up. */
async function fillRefunds(db: pg.Client, count: number): Promise<void> {
  await db.query('set session_replication_role = replica');
  await db.query(FILL, [count]);
  await db.query(FILL_NOTES);
  await db.query('reset session_replication_role');
  await db.query('vacuum analyze refunds, credit_notes');
  await db.query('checkpoint');
}

const ADDRESS = '7fUAJdStEuGbc3sM84cKRL6yYaaSstyLSU4ve5oovLS7';

const FILL = `
  with of_merchant as (
    select row_number() over (partition by s.merchant_id order by s.id) as nth_of_merchant, s.merchant_id, s.project_id,
           s.customer_id, v.id as invoice_id, s.payment_intent_id
      from checkout_sessions s
      join invoices v on v.merchant_id = s.merchant_id and v.checkout_session_id = s.id
     where s.payment_intent_id is not null
  ), paid as (
    select row_number() over (order by nth_of_merchant, merchant_id) - 1 as nth, * from of_merchant
  ), total as (select count(*) as paid from paid)
  insert into refunds (merchant_id, id, number, project_id, customer_id, payment_intent_id, invoice_id, status, amount_cents,
                       sent_base_units, reason, address, address_source, address_approved_at, reference_address,
                       notify_customer, revoke_credits, cancel_subscription, tx_signature, created_at, expires_at,
                       succeeded_at, canceled_at)
  select p.merchant_id, uuidv7(make_interval(secs => n - $1::int)), n, p.project_id, p.customer_id, p.payment_intent_id,
         p.invoice_id, s.status, 1, case s.status when 'succeeded' then 10000 else 0 end, 'other',
         case s.status when 'awaiting_address' then null else '${ADDRESS}' end,
         case s.status when 'awaiting_address' then null else 'merchant' end,
         case s.status when 'awaiting_address' then null else now() end,
         lpad(n::text, 44, 'r'), true, false, false, case s.status when 'succeeded' then 'bench' || n end,
         now(), now() + interval '90 days', case s.status when 'succeeded' then now() end,
         case s.status when 'canceled' then now() end
    from generate_series(1, $1::int) as n
    cross join total
    join paid p on p.nth = n % least(total.paid, $1::int / 100)
    cross join lateral (select (array['succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded',
                                      'succeeded', 'ready', 'awaiting_address', 'canceled'])[1 + (n / 7) % 10] as status) s`;

const FILL_NOTES = `
  insert into credit_notes (merchant_id, id, number, refund_id, project_id, customer_id, invoice_id, amount_cents, created_at)
  select merchant_id, uuidv7(), number, id, project_id, customer_id, invoice_id, amount_cents, created_at
    from refunds where status = 'succeeded'`;

const FIND_SOME = `
  select project_id as project, customer_id as customer, payment_intent_id as intent
    from refunds where merchant_id = $1 and customer_id is not null limit 1`;
