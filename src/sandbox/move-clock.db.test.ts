import { beforeAll, expect, test } from 'vitest';
import { newPlan, readSubscription } from '../../test/support/billing.ts';
import { call, testService } from '../../test/support/service.ts';
import { days, type SubscriptionWorld, subscriptionWorld } from '../../test/support/subscriptions.ts';
import { readClockOffset } from '../platform/db/installation.ts';
import { addSeconds, DAY_MS } from '../platform/lib/clock.ts';
import { createLog } from '../platform/lib/log.ts';
import { clockMover } from './move-clock.ts';

let w: SubscriptionWorld;

beforeAll(async () => {
  w = await subscriptionWorld();
});

const PATH = '/api/v2/sandbox/clock';
const read = async () => (await w.shop.call('GET', PATH)).body;

/** Holds every step up until it is let go. */
function hold() {
  const run = w.runDue;
  const begun = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  w.runDue = async () => {
    begun.resolve();
    await free.promise;
    await run();
  };
  return { begun: begun.promise, letGo: free.resolve };
}

test('a long advance reports its progress, in the API and in the log', async () => {
  const plan = await newPlan(w.shop, w.projectId, { recurringInterval: 'week' });
  const sub = await w.subscribe(plan.id, 'long');
  expect((await read()).advancingTo).toBeNull();
  const to = days(w.service.clock.now(), 365).toISOString();
  const held = hold();
  const moving = w.shop.call('POST', PATH, { to });
  await held.begun;
  const under = await read();
  expect(under.advancingTo).toBe(to);
  expect(Date.parse(under.now)).toBeLessThan(Date.parse(to));
  held.letGo();
  const done = await moving;
  expect([done.status, done.body.advancingTo]).toEqual([200, null]);
  expect((await readSubscription(w.shop, sub.id)).status).toBe('canceled');
  const told = w.service.log
    .map((line) => JSON.parse(line))
    .filter(({ msg }) => msg === 'sandbox clock: advancing');
  expect(told.at(-1)).toMatchObject({ percent: 100, to, reached: to });
  expect(told.at(-1).steps).toBeGreaterThan(3);
});

test('advances asked for at once go one after the other, of this process and of another', async () => {
  const other = await testService({}, w.service.db, { wallet: undefined, runDue: () => w.runDue() });
  const start = w.service.clock.now();
  const held = hold();
  const body = { advanceSeconds: DAY_MS / 1000 };
  const first = w.shop.call('POST', PATH, body);
  await held.begun;
  const second = w.shop.call('POST', PATH, body);
  const third = call(other.url + PATH, 'POST', body, { authorization: `Bearer ${w.shop.key}` });
  held.letGo();
  const answers = await Promise.all([first, second, third]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const reached = answers.map(({ body: { now } }) => Date.parse(now) - start.getTime()).sort((a, b) => a - b);
  for (const [i, distance] of reached.entries()) expect(distance).toBeGreaterThanOrEqual((i + 1) * DAY_MS);
  expect((await read()).advancingTo).toBeNull();
});

test('one that fails lets the next go', async () => {
  const run = w.runDue;
  w.runDue = async () => {
    throw new Error('not now');
  };
  expect((await w.shop.call('POST', PATH, { advanceSeconds: 1 })).status).toBe(500);
  w.runDue = run;
  expect((await w.shop.call('POST', PATH, { advanceSeconds: 1 })).status).toBe(200);
  expect((await read()).advancingTo).toBeNull();
});

test('a goal that has passed before it is reached sets nothing back', async () => {
  const { db, clock } = w.service;
  const log = createLog('silent', () => {});
  const mover = clockMover({ db, clock, log, runDue: async () => {} });
  await mover.move((now) => addSeconds(now, 1));
  const offsetMs = await readClockOffset(db);
  await mover.move((now) => {
    const until = performance.now() + 20;
    while (performance.now() < until);
    return now;
  });
  expect(await readClockOffset(db)).toBe(offsetMs);
});

test('what falls due while a slow step runs is next, not days later', async () => {
  const { db, clock } = w.service;
  const plan = await newPlan(w.shop, w.projectId);
  const first = await w.subscribe(plan.id, 'slow step');
  const second = await w.subscribe(plan.id, 'meanwhile');
  const [{ due }] = (await db.query<{ due: Date }>(
    'select next_step_at as due from subscriptions where id = $1',
    [first.id],
  )) as [{ due: Date }];
  await db.query('update subscriptions set next_step_at = $2 where id = $1', [second.id, addSeconds(due, 3)]);
  const ranAt: Date[] = [];
  const runDue = async () => {
    ranAt.push(clock.now());
    await w.runDue();
    // Time passes while this step runs.
    clock.setOffsetMs((await readClockOffset(db)) + 10_000);
  };
  const mover = clockMover({ db, clock, log: createLog('silent', () => {}), runDue });
  await mover.move(() => addSeconds(due, 3_600));
  const opened = await db.query<{ at: Date }>(
    `select v.created_at as at from invoices v where v.subscription_id = $1 order by v.created_at desc limit 1`,
    [second.id],
  );
  expect(opened[0]!.at.getTime() - due.getTime()).toBeLessThan(60_000);
  expect(ranAt.length).toBeGreaterThanOrEqual(3);
});
