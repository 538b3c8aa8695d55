import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createSetupLink } from '../../src/accounts/members/create-link.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts';
import { ALL_CONTRIBUTIONS, ENTRY_COLUMNS } from '../../src/reports/overview/contributions.ts';
import type { BenchMerchant } from '../create-database.ts';
import { fillBilling } from '../fill-billing.ts';
import { loopEnv } from '../loop-delays.ts';
import type { Running } from '../processes.ts';
import { openWatchedShop, type WatchedShop } from '../watched-shop.ts';
import { socketFolder, type Workshop } from '../workshop.ts';
import type { DayMerchant, DayPlaces } from './mix.ts';

const NAME = 'day';
const MERCHANTS = 8;
/** Checkouts, customers, invoices and payments that are there when the day begins. */
const PAST = { count: 30_000, days: 90, projectsEach: 2, pricesEach: 20 };
/** Length of a slot, as on mainnet: a payment is final 32 of them later. */
const SLOT_MS = 400;
const LOOK_MS = 250;

export interface DayShop extends WatchedShop {
  chain: Running;
  receiver: Running;
  load: Running;
  /** A process that does nothing. */
  idle: Running;
}

/** One installation with a past, its chain, those who receive its webhooks and e-mails, and those who use it. */
export async function openDayShop(shop: Workshop, profileFolder: string | undefined): Promise<DayShop> {
  const data = join(shop.folder, 'data');
  const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
  shop.onClose(() => server.stop());
  const chain = await shop.startYardstick('chain.ts', { name: 'chain', env: { SLOT_MS: String(SLOT_MS) } });
  const receiver = await shop.startYardstick('noting-receiver.ts', { name: 'receiver' });
  const { mailPort } = await read<{ mailPort: number }>(`${receiver.url}/noted`);
  const idle = await shop.startYardstick('idle-loop.ts', { name: 'idle', env: loopEnv(shop, 'idle') });
  const watched = await openWatchedShop(shop, {
    data,
    name: NAME,
    merchants: MERCHANTS,
    chain,
    profileFolder,
    fill: (db, merchantIds) => fillPast(db, merchantIds, receiver.url),
    env: {
      ...loopEnv(shop, NAME),
      SOLANA_MAX_CALLS_PER_SECOND: '1000',
      SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
      MAIL_FROM: 'Shop <shop@example.com>',
    },
  });
  const { db, service } = watched;
  const hasWork = async () =>
    (await db.query<{ is: boolean }>('select exists (select from revenue_entries) as is')).rows[0]!.is;
  while (await hasWork()) await sleep(LOOK_MS);
  await db.query('vacuum analyze');
  const cookies = await signIn(data, watched.merchants, service.url);
  const merchants: DayMerchant[] = [];
  for (const [i, one] of watched.merchants.entries())
    merchants.push(await describeMerchant(db, one, cookies[i]!));
  const places: DayPlaces = { service: service.url, chain: chain.url, merchants };
  const path = join(shop.folder, 'day.json');
  await writeFile(path, JSON.stringify(places));
  const load = await shop.startYardstick('day-load.ts', { name: 'load', env: { DAY_FILE: path } });
  return { ...watched, chain, receiver, load, idle };
}

export async function read<Answer>(url: string): Promise<Answer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return (await response.json()) as Answer;
}

async function fillPast(db: pg.Client, merchantIds: string[], webhookUrl: string): Promise<void> {
  const { count, ...past } = PAST;
  await fillBilling(db, merchantIds, count, past);
  await db.query('update merchants set webhook_url = $1', [webhookUrl]);
  await db.query('set session_replication_role = replica');
  for (const statement of AND_MORE) await db.query(statement);
  await db.query('reset session_replication_role');
}

/**
 * Numbers continue where the past ends, its revenue is still to be added up, and some customers have subscriptions. What is open
 * stays open: a session of the past and its intent share an id, so that they cannot both have an event.
 */
const AND_MORE = [
  `update checkout_sessions set expires_at = now() + interval '1 day' where status = 'open'`,
  `update payment_intents set expires_at = now() + interval '1 day' where status = 'pending'`,
  `update projects p set last_invoice_number = (select max(number) from invoices i where i.merchant_id = p.merchant_id and i.project_id = p.id)`,
  `insert into revenue_entries (${ENTRY_COLUMNS}) ${ALL_CONTRIBUTIONS}`,
  `insert into prices (merchant_id, id, project_id, product_id, unit_amount_cents, billing_mode, recurring_interval,
                       recurring_interval_count, created_at)
   select distinct on (project_id) merchant_id, uuidv7(), project_id, id, 1900, 'subscription', 'month', 1, now()
     from products order by project_id, id`,
  `insert into subscriptions (merchant_id, id, project_id, customer_id, price_id, status, anchor_at, period_index,
                              current_period_start, current_period_end, paid_through, next_step_at, sequence, created_at)
   select c.merchant_id, uuidv7(), c.project_id, c.id, p.id, 'active', begun.at, 0, begun.at, begun.at + interval '1 month',
          begun.at + interval '1 month', now() + interval '1 day', 2, begun.at
     from (select * from customers order by id desc limit 20000) as c
     join prices p on p.merchant_id = c.merchant_id and p.project_id = c.project_id and p.billing_mode = 'subscription'
    cross join (select date_trunc('day', now()) - interval '25 days' as at) as begun`,
];

/** The cookie of each merchant's owner. */
async function signIn(
  data: string,
  merchants: readonly BenchMerchant[],
  publicUrl: string,
): Promise<string[]> {
  const connection = { host: socketFolder(data), user: 'florin', database: NAME };
  const db = openDatabase({ connection });
  const cookies: string[] = [];
  for (const { id } of merchants) {
    const now = new Date();
    const moment = { now, serviceNow: now };
    const input = { merchantId: id, actor: 'operator', publicUrl, moment };
    const { url } = await db.transaction((tx) => createSetupLink(tx, input));
    const response = await fetch(`${publicUrl}/api/dashboard/links/use`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: publicUrl },
      body: JSON.stringify({
        token: url.split('/').at(-1),
        email: `owner-${cookies.length}@example.com`,
        name: 'Owner',
        password: crypto.randomUUID(),
      }),
    });
    if (!response.ok) throw new Error(`the owner could not sign in: ${await response.text()}`);
    cookies.push(
      response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    );
  }
  await db.close();
  return cookies;
}

async function describeMerchant(
  db: pg.Client,
  merchant: BenchMerchant,
  cookie: string,
): Promise<DayMerchant> {
  const { rows: projects } = await db.query<DayMerchant['projects'][number]>(PROJECTS, [merchant.id]);
  const { rows } = await db.query<{ text: string }>(TEXTS, [merchant.id]);
  return { ...merchant, cookie, projects, texts: rows.map(({ text }) => text) };
}

const PROJECTS = `
  select p.id, (select id from prices where merchant_id = p.merchant_id and project_id = p.id and billing_mode = 'one_time'
                 limit 1) as price,
         (select array_agg(id) from (select id from customers where merchant_id = p.merchant_id and project_id = p.id
                                      limit 500) as first) as customers
    from projects p where p.merchant_id = $1`;

/** Texts that people search for: orders, e-mail addresses, names, numbers, and beginnings that very many have. */
const TEXTS = `
  select unnest(array[i.order_id, left(i.order_id, -2), c.email, c.name, lower(v.number_text), v.number_text, 'ord', 'user',
                      i.reference_address]) as text
    from (select * from payment_intents where merchant_id = $1 and status = 'succeeded' limit 20) as i
    join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
    join customers c on c.merchant_id = s.merchant_id and c.id = s.customer_id
    join invoices v on v.merchant_id = s.merchant_id and v.checkout_session_id = s.id`;
