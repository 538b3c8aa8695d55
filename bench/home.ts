import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.ts';
import { ALL_CONTRIBUTIONS, ENTRY_COLUMNS } from '../src/reports/overview/contributions.ts';
import type { BenchResult, BenchRun } from './bench.ts';
import { type FilledShop, openFilledShop } from './filled-shop.ts';
import { percentile, type Round, spreadOf } from './rounds.ts';
import { withWorkshop } from './workshop.ts';

/** Seven in ten of them are paid. */
const SMALL = 14_300;
const LARGE = 1_430_000;
const SUBSCRIPTIONS = 20_000;
const READS_EACH = 20;
const AT_MOST_MS = 100;
const LOOK_MS = 250;

/**
 * Measures the dashboard's home with a hundred times the payments of a project: time for its numbers with few ÷ with
 * many, both read in turn, for each range it offers. The worst range counts. The service itself adds up the rows that
 * were filled in.
 */
export function home({ rounds, say }: BenchRun): Promise<BenchResult> {
  return withWorkshop(async (shop) => {
    const data = join(shop.folder, 'data');
    const server = await startEmbeddedPostgres({ dataFolder: data, purpose: 'service' });
    shop.onClose(() => server.stop());
    const fillSeconds: number[] = [];
    const open = async (database: string, count: number) => {
      say(`filling ${count.toLocaleString('en')} checkouts`);
      const past = { days: 730, projectsEach: 1, pricesEach: 200 };
      const filled = await openFilledShop(shop, data, { database, merchants: 1, count, past }, addMore);
      const startedMs = performance.now();
      const isTrue = async (condition: string) =>
        (await filled.db.query<{ is: boolean }>(`select ${condition} as is`)).rows[0]!.is;
      while (await isTrue('exists (select from revenue_entries)')) await sleep(LOOK_MS);
      if (count === LARGE)
        while (await isTrue(`(select count(*) from revenue_ranges) < 4`)) await sleep(LOOK_MS);
      fillSeconds.push(Math.round((performance.now() - startedMs) / 1000));
      await filled.db.query('vacuum analyze');
      return filled;
    };
    const large = await open('large', LARGE);
    const small = await open('small', SMALL);

    const measured: Round[] = [];
    const times = new Map<string, number[]>(RANGES.map((range) => [range, []]));
    for (let i = -1; i < rounds; i++) {
      for (const range of RANGES) {
        const { round, ours } = await askInTurn(range, large, small);
        if (i < 0) continue;
        measured.push(round);
        times.get(range)!.push(...ours);
      }
      say(i < 0 ? 'warm-up' : `round ${i + 1} of ${rounds}`);
    }
    const ranges = [...times].map(([range, ms]) => ({
      range,
      p50Ms: percentile(ms, 50),
      p95Ms: percentile(ms, 95),
      ...spreadOf(measured.filter((round) => round.of === range)),
    }));
    const worst = ranges.sort((a, b) => a.median - b.median)[0]!;
    const slowestP95Ms = Math.max(...ranges.map(({ p95Ms }) => p95Ms));
    const { rows } = await large.db.query<{ count: string }>(
      `select count(*) from payment_intents where status = 'succeeded'`,
    );
    const extra = {
      payments: Number(rows[0]!.count),
      slowestP95Ms,
      atMostMs: AT_MOST_MS,
      ranges,
      fillSeconds,
    };
    return { ratio: worst.median, spread: worst, unit: 'ms', rounds: measured, extra };
  });
}

const RANGES = ['today', '7d', '30d', '3m', '12m'];

/** One after the other, so that whatever else the machine does meets both. */
async function askInTurn(range: string, large: FilledShop, small: FilledShop) {
  const ask = (filled: FilledShop) =>
    filled.read(filled.merchants[0]!, `/api/v2/billing/revenue?range=${range}`);
  const ours: number[] = [];
  const yardstick: number[] = [];
  for (let turn = 0; turn < READS_EACH; turn++) {
    ours.push(await ask(large));
    yardstick.push(await ask(small));
  }
  const [many, few] = [percentile(ours, 50), percentile(yardstick, 50)];
  return { ours, round: { of: range, ours: many, yardstick: few, ratio: few / many } satisfies Round };
}

/** Subscriptions, days that are not those of UTC, and everything still to be added up. */
async function addMore(db: pg.Client): Promise<void> {
  await db.query('set session_replication_role = replica');
  await db.query(`update merchants set time_zone = 'Asia/Kathmandu'`);
  await db.query(`
    insert into prices (merchant_id, id, project_id, product_id, unit_amount_cents, billing_mode, recurring_interval,
                        recurring_interval_count, created_at)
    select merchant_id, uuidv7(), project_id, id, 1900, 'subscription', 'month', 1, now() from products limit 5`);
  await db.query(
    `insert into subscriptions (merchant_id, id, project_id, customer_id, price_id, status, anchor_at, period_index,
                                current_period_start, current_period_end, paid_through, created_at, canceled_at, cancel_reason)
     select c.merchant_id, uuidv7(), c.project_id, c.id, p.prices[1 + c.n % cardinality(p.prices)],
            case when c.n % 4 = 0 then 'canceled' else 'active' end, at, 3, now() - make_interval(days => (c.n % 30)::int),
            now() + make_interval(days => 1 + (c.n % 30)::int), now() + make_interval(days => 1 + (c.n % 30)::int), at,
            case when c.n % 4 = 0 then at + interval '90 days' end, case when c.n % 4 = 0 then 'requested' end
       from (select *, row_number() over (order by id) as n from customers limit $1) as c
      cross join lateral (select now() - make_interval(hours => 1 + (c.n % 17000)::int) as at) as begun
      cross join (select array_agg(id) as prices from prices where billing_mode = 'subscription') as p`,
    [SUBSCRIPTIONS],
  );
  await db.query(`insert into revenue_entries (${ENTRY_COLUMNS}) ${ALL_CONTRIBUTIONS}`);
  await db.query('reset session_replication_role');
}
