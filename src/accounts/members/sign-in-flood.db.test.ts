import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { newLink, newProject } from '../../../test/support/billing.ts';
import { cleanUp } from '../../../test/support/clean-up.ts';
import { newIntent } from '../../../test/support/payments.ts';
import { call, type TestMerchant, type TestService, testService } from '../../../test/support/service.ts';

/** Strangers who wait for a row keep only a few connections from everybody else. */
const POOL = 8;
let service: TestService;
let shop: TestMerchant;

beforeAll(async () => {
  const off = { RATE_LIMIT_PUBLIC_PER_SECOND: '0', RATE_LIMIT_CHECKOUT_PER_MINUTE: '0' };
  service = await testService({ ...off, TRUST_PROXY: 'true', DATABASE_POOL_SIZE: String(POOL) });
  shop = await service.createMerchant();
});

/** Locks something as a slow transaction would, and lets it go when told to. */
async function holding(statement: string, values: unknown[] = []) {
  const client = new pg.Client(service.db.pool.options);
  await client.connect();
  cleanUp(() => client.end());
  await client.query('begin');
  await client.query(statement, values);
  return {
    release: () => client.query('commit'),
    /** Returns once somebody waits for it, as everybody does who asked before. */
    async awaited() {
      for (;;) {
        const { rows } = await client.query(`select from pg_stat_activity where wait_event_type = 'Lock'
          and datname = current_database()`);
        if (rows.length > 0) return rows.length;
      }
    },
  };
}

/** True if everybody else is served while the given calls wait. */
async function expectServed(awaited: () => Promise<number>) {
  await awaited();
  const intent = await newIntent(shop);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => call(`${service.url}/api/public/intents/${intent.id}`, 'GET')),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
  expect(await awaited()).toBeLessThanOrEqual(3);
}

const signIn = (ip: string, n: number) =>
  call(
    `${service.url}/api/dashboard/sign-in`,
    'POST',
    { email: `z${n}@shop.example`, password: 'a wrong password' },
    { 'x-forwarded-for': ip },
  );

test('sign-ins of three networks: two connections wait, and everybody else is served', async () => {
  const ips = ['10.1.0.1', '10.2.0.1', '10.3.0.1'];
  await Promise.all(ips.map((ip) => signIn(ip, 0)));
  const held = await holding(`select from sign_in_attempts where name like 'address:%' for update`);
  const waiting = Array.from({ length: 30 }, (_, n) => signIn(ips[n % 3]!, n));
  await expectServed(held.awaited);
  await held.release();
  const answers = await Promise.all(waiting);
  expect(answers.filter(({ status }) => status === 429)).toEqual([]);
});

test('429 for one network that asks faster than passwords are tried', async () => {
  const ip = '10.4.0.1';
  await signIn(ip, 0);
  const held = await holding('select from sign_in_attempts where name = $1 for update', [`address:${ip}`]);
  const waiting = Array.from({ length: 40 }, (_, n) => signIn(ip, n));
  await held.awaited();
  const refused = await Promise.race(waiting);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  await held.release();
  await Promise.all(waiting);
});

test('checkouts of one limited link: one connection waits, and everybody else is served', async () => {
  const { paymentLink } = await newLink(shop, (await newProject(shop)).id, {});
  await shop.call('PATCH', `/api/v2/payment-links/${paymentLink.id}`, { maxPayments: 100 });
  const held = await holding(`select pg_advisory_xact_lock(hashtextextended('checkouts of ' || $1, 0))`, [
    paymentLink.id,
  ]);
  const path = `${service.url}/api/v2/payment-links/${paymentLink.publicToken}/checkout`;
  const waiting = Array.from({ length: 30 }, (_, n) =>
    call(path, 'POST', {}, { 'x-forwarded-for': `10.${n + 10}.0.1` }),
  );
  await expectServed(held.awaited);
  await held.release();
  const answers = await Promise.all(waiting);
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(20);
});
