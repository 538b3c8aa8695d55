import { join } from 'node:path';
import type pg from 'pg';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { type FilledShop, openFilledShop } from './filled-shop.ts';
import { type Round, readInTurn, spreadOf } from './rounds.ts';
import { withWorkshop } from './workshop.ts';

const ROWS = 10_000;
const MERCHANTS = 10;
const READS_EACH = 60;
const AT_LEAST = 0.5;

/** The lists whose rows name other objects, each with all that it can include. */
const LISTS: Record<string, readonly string[]> = {
  '/prices': ['product'],
  '/checkout-sessions': ['customer', 'price.product', 'invoice', 'subscription'],
  '/invoices': ['customer'],
  '/subscriptions': ['customer', 'price.product', 'latestInvoice'],
};

/** Measures related objects on a page of 20, for one caller: time without ÷ with them. The worst list counts. */
export function expand({ rounds, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    say(`filling ${ROWS.toLocaleString('en')} rows of each`);
    const size = { database: 'expand', merchants: MERCHANTS, count: ROWS };
    const filled = await openFilledShop(shop, data, size, fillCatalog);

    const measured: Round[] = [];
    for (let i = -1; i < rounds; i++) {
      for (const path of Object.keys(LISTS)) {
        const round = await readInTurn(path, readsOf(filled, path), READS_EACH);
        if (i >= 0) measured.push(round);
      }
      say(i < 0 ? 'warm-up' : `round ${i + 1} of ${rounds}`);
    }
    const lists = Object.keys(LISTS).map((list) => ({
      list,
      ...spreadOf(measured.filter((round) => round.of === list)),
    }));
    const worst = lists.sort((a, b) => a.median - b.median)[0]!;
    const extra = { rows: ROWS, atLeast: AT_LEAST, lists };
    return { ratio: worst.median, spread: worst, unit: 'ms', rounds: measured, extra };
  });
}

/** A product, a price and a subscription for every customer; its latest invoice has the same id. */
async function fillCatalog(db: pg.Client): Promise<void> {
  await db.query(`
    insert into products (merchant_id, id, project_id, name, created_at)
    select merchant_id, id, project_id, 'Plan', created_at from customers`);
  await db.query(`
    insert into prices (merchant_id, id, project_id, product_id, unit_amount_cents, billing_mode, recurring_interval,
                        recurring_interval_count, created_at)
    select merchant_id, id, project_id, id, 1000, 'subscription', 'month', 1, created_at from customers`);
  await db.query(`
    insert into subscriptions (merchant_id, id, project_id, customer_id, price_id, latest_invoice_id, created_at)
    select merchant_id, id, project_id, id, id, id, created_at from customers`);
  await db.query('vacuum analyze products, prices, subscriptions');
}

function readsOf({ merchants, read }: FilledShop, path: string) {
  const query = LISTS[path]!.map((name) => `expand[]=${name}`).join('&');
  const by = (turn: number) => merchants[turn % MERCHANTS]!;
  return {
    ours: (turn: number) => read(by(turn), `/api/v2${path}?${query}`),
    yardstick: (turn: number) => read(by(turn), `/api/v2${path}`),
  };
}
