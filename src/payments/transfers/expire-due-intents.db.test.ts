import { beforeEach, expect, test } from 'vitest';
import {
  type TestAnswer,
  type TestMerchant,
  type TestService,
  testService,
} from '../../../test/support/service.ts';
import { intentInvariants } from '../../intents/invariants.ts';
import { checkInvariants } from '../../platform/db/invariant.ts';
import { expireDueIntents } from './expire-due-intents.ts';

let service: TestService;
let shop: TestMerchant;

beforeEach(async () => {
  service = await testService();
  shop = await service.createMerchant();
});

/** Pretends that the chain was read up to this moment. */
const readUpTo = (moment: Date) =>
  service.db.query('update watched_accounts set read_through = $1', [moment]);

const HALF_HOUR = 30 * 60_000;
/** A hundred at a time: more connections at once than the machine queues would be refused. */
async function make(n: number): Promise<TestAnswer[]> {
  const made: TestAnswer[] = [];
  while (made.length < n) {
    const slice = Array.from({ length: Math.min(100, n - made.length) }, (_, i) => made.length + i);
    const create = (i: number) =>
      shop.call('POST', '/api/merchants/intents', { amountCents: 1, orderId: `o${i}` });
    made.push(...(await Promise.all(slice.map(create))));
  }
  return made;
}

test('what is due expires with one event each; what is not, does not', async () => {
  const [first] = await make(1);
  const at = new Date(first!.body.expiresAt).getTime();
  expect(await expireDueIntents(service.db, new Date(at + 60_000))).toBe(0);
  await readUpTo(new Date(at - 1));
  expect(await expireDueIntents(service.db, new Date(at + 60_000))).toBe(0);
  await readUpTo(new Date(at));
  expect(await expireDueIntents(service.db, new Date(at - 1))).toBe(0);
  expect(await expireDueIntents(service.db, new Date(at))).toBe(1);
  expect(await expireDueIntents(service.db, new Date(at + 1))).toBe(0);
  expect((await shop.call('GET', `/api/merchants/intents/${first!.body.id}`)).body.status).toBe('expired');
  const [event] = await service.db.query<{ event: string; body: string; sequence: number }>(
    'select event, body, sequence from events',
  );
  expect(event).toMatchObject({ event: 'payment_intent.expired', sequence: 1 });
  const body = JSON.parse(event!.body);
  expect(Object.keys(body)).toEqual(['id', 'event', 'createdAt', 'sequence', 'status', 'metadata', 'data']);
  expect(body.data).toEqual({
    paymentIntentId: first!.body.id,
    orderId: 'o0',
    amountCents: 0,
    expectedAmountCents: 1,
    txSignature: null,
  });
});

test('eight workers at once expire each of 1,200 intents exactly once', async () => {
  await make(1_200);
  const later = new Date(service.clock.now().getTime() + HALF_HOUR + 1_000);
  await readUpTo(later);
  const counts = await Promise.all(Array.from({ length: 8 }, () => expireDueIntents(service.db, later)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_200);
  expect(await service.db.query('select from events')).toHaveLength(1_200);
  const results = await checkInvariants(service.db, intentInvariants);
  expect(results.filter((result) => result.violations.length > 0)).toEqual([]);
});

test('canceled, succeeded and underpaid intents never expire', async () => {
  const [a, b, c] = await make(3);
  await shop.call('POST', `/api/merchants/intents/${a!.body.id}/cancel`);
  await service.db.query(
    `update payment_intents set status = 'underpaid', received_base_units = 1 where id = $1`,
    [b!.body.id],
  );
  await service.db.query(
    `update payment_intents set status = 'succeeded', received_base_units = 10000, succeeded_at = now() where id = $1`,
    [c!.body.id],
  );
  const later = new Date(service.clock.now().getTime() + 2 * HALF_HOUR);
  await readUpTo(later);
  expect(await expireDueIntents(service.db, later)).toBe(0);
});

test('the invariants notice a planted fault', async () => {
  const [a, b] = await make(2);
  await shop.call('POST', `/api/merchants/intents/${a!.body.id}/cancel`);
  const broken = async () =>
    (await checkInvariants(service.db, intentInvariants))
      .filter((result) => result.violations.length > 0)
      .map((result) => result.name);
  expect(await broken()).toEqual([]);
  await service.db.query(`update payment_intents set status = 'expired' where id = $1`, [b!.body.id]);
  expect(await broken()).toEqual(['legal-moves']);
  await service.db.query(`update payment_intents set status = 'pending' where id = $1`, [b!.body.id]);
  await expect(service.db.query(`update events set status = 'x'`)).rejects.toThrow('only grows');
  await service.db.query('delete from events');
  expect(await broken()).toEqual(['legal-moves', 'one-event-per-change']);
});
