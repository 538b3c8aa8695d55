import { join } from 'node:path';
import type pg from 'pg';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { openFilledShop } from './filled-shop.ts';
import { percentile, type Round, spreadOf } from './rounds.ts';
import { type Workshop, withWorkshop } from './workshop.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const MERCHANTS = 10;
/** What the refunds are of: as much in both, so that only their number differs. */
const PAYMENTS = 10_000;
const READS_EACH = 40;

/**
 * What a hundred times the refunds cost a page of 20 of them, for one caller: how long it takes with few ÷ with many, both
 * read in turn. The worst page counts.
 */
export function refunds({ rounds, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    say(`filling ${LARGE.toLocaleString('en')} refunds`);
    const large = await openShop(shop, data, 'large', LARGE);
    const small = await openShop(shop, data, 'small', SMALL);
    const pages = Object.keys(PATHS);
    const measured: Round[] = [];
    for (let i = -1; i < rounds; i++) {
      for (const page of pages) {
        const round = await readInTurn(page, large, small);
        if (i >= 0) measured.push(round);
      }
      say(i < 0 ? 'warm-up' : `round ${i + 1} of ${rounds}`);
    }
    const spreads = pages.map((page) => ({
      page,
      ...spreadOf(measured.filter((round) => round.of === page)),
    }));
    const worst = spreads.sort((a, b) => a.median - b.median)[0]!;
    return {
      ratio: worst.median,
      spread: worst,
      unit: 'ms',
      rounds: measured,
      extra: { rows: LARGE, pages: spreads },
    };
  });
}

type Read = (page: string, turn: number) => Promise<number>;

async function readInTurn(page: string, large: Read, small: Read): Promise<Round> {
  const ours: number[] = [];
  const yardstick: number[] = [];
  for (let turn = 0; turn < READS_EACH; turn++) {
    ours.push(await large(page, turn));
    yardstick.push(await small(page, turn));
  }
  const [many, few] = [percentile(ours, 50), percentile(yardstick, 50)];
  return { of: page, ours: many, yardstick: few, ratio: few / many };
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

async function openShop(shop: Workshop, data: string, database: string, count: number): Promise<Read> {
  const filled = { database, merchants: MERCHANTS, count: PAYMENTS };
  const { db, merchants, read } = await openFilledShop(shop, data, filled, (db) => fillRefunds(db, count));
  const places: Some[] = [];
  for (const { id } of merchants) places.push((await db.query(FIND_SOME, [id])).rows[0]);
  return (page, turn) => {
    const nth = turn % MERCHANTS;
    return read(merchants[nth]!, `/api/v2${PATHS[page]!(places[nth]!)}`);
  };
}

/** So many refunds of the payments there are, in turn; seven in ten have succeeded. Nothing looks them up. */
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
  with paid as (
    select row_number() over () - 1 as nth, s.merchant_id, s.project_id, s.customer_id, v.id as invoice_id, s.payment_intent_id
      from checkout_sessions s
      join invoices v on v.merchant_id = s.merchant_id and v.checkout_session_id = s.id
     where s.payment_intent_id is not null
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
    join paid p on p.nth = n % total.paid
    cross join lateral (select (array['succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded',
                                      'succeeded', 'ready', 'awaiting_address', 'canceled'])[1 + (n / 7) % 10] as status) s`;

const FILL_NOTES = `
  insert into credit_notes (merchant_id, id, number, refund_id, project_id, customer_id, invoice_id, amount_cents, created_at)
  select merchant_id, uuidv7(), number, id, project_id, customer_id, invoice_id, amount_cents, created_at
    from refunds where status = 'succeeded'`;

const FIND_SOME = `
  select project_id as project, customer_id as customer, payment_intent_id as intent
    from refunds where merchant_id = $1 and customer_id is not null limit 1`;
