import { beforeAll, expect, test } from 'vitest';
import { newPlan, newProject } from '../../../test/support/billing.ts';
import { type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { listDue, lockDue, lockUnasked } from './due-queries.ts';

let service: TestService;
let shop: TestMerchant;
let projectId: string;
let priceId: string;

beforeAll(async () => {
  service = await testService();
  shop = await service.createMerchant();
  projectId = (await newProject(shop)).id;
  priceId = (await newPlan(shop, projectId)).id;
});

/** Running subscriptions, one in a hundred of them due. */
async function fill(count: number): Promise<void> {
  await service.db.query(
    `with made as (
       insert into customers (merchant_id, id, project_id, created_at)
       select $1, uuidv7(), $2, now() from generate_series(1, $4) returning id
     )
     insert into subscriptions (merchant_id, id, project_id, customer_id, price_id, status, anchor_at, period_index,
                                current_period_start, current_period_end, paid_through, next_step_at, sequence, created_at)
     select $1, uuidv7(), $2, id, $3, 'active', now(), 0, now(), now() + interval '1 month', now() + interval '1 month',
            now() + case when row_number() over () % 100 = 0 then interval '-1 minute' else interval '20 days' end, 2, now()
       from made`,
    [shop.id, projectId, priceId, count],
  );
  await service.db.query('vacuum analyze customers, subscriptions');
}

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** Explains the statement that `ask` runs: returns each table, and how its rows are found. */
async function pathsOf(ask: (db: Queryable) => Promise<unknown>): Promise<string[]> {
  const plans: Plan[] = [];
  await ask({
    query: async (text, values) => {
      const [row] = await service.db.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (format json) ${text}`,
        values,
      );
      plans.push(row!['QUERY PLAN'][0].Plan);
      return [];
    },
  });
  const walk = (plan: Plan): string[] => [
    ...(plan['Relation Name'] ? [`${plan['Node Type']} ${plan['Index Name'] ?? plan['Relation Name']}`] : []),
    ...(plan['Node Type'] === 'Sort' ? ['Sort'] : []),
    ...(plan.Plans ?? []).flatMap(walk),
  ];
  // The list of closed merchants is empty nearly always, and read first.
  return plans
    .flatMap(walk)
    .filter((path) => path !== 'Seq Scan merchants' && !/merchants_closed/.test(path));
}

test('what is due is found by its index alone, and locked by one as well, however many subscriptions there are', async () => {
  for (const [count, due] of [
    [1_000, 10],
    [19_000, 200],
  ] as const) {
    await fill(count);
    const now = new Date();
    const refs = await listDue(service.db, now, 1_000);
    expect(refs).toHaveLength(due);
    // Few are ever set aside, so their table is read whole.
    const paths = await pathsOf((db) => listDue(db, now, 1_000));
    expect(paths.filter((path) => !path.endsWith(' set_aside_work'))).toEqual([
      'Index Only Scan subscriptions_due',
    ]);
    const locked = [
      ...(await pathsOf((db) => lockDue(db, refs.slice(0, 250), now))),
      ...(await pathsOf((db) => lockUnasked(db, refs.slice(0, 250), now))),
    ].filter((path) => path !== 'Sort');
    expect(locked).toHaveLength(3);
    expect(locked.filter((path) => !path.startsWith('Index'))).toEqual([]);
  }
});
