import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { type TestChain, testChain } from '../support/chain.ts';
import { newIntent, readIntent } from '../support/payments.ts';
import { type Assistant, overHttp, refused, use } from './mcp-clients.ts';

/** Test money and the clock, repeated by an assistant that is not sure: each purpose takes effect once. */
let t: TestChain;
let assistant: Assistant;

beforeAll(async () => {
  t = await testChain();
  assistant = await overHttp(t.service.url, t.shop.key);
});

const DAYS_30 = 30 * 86_400;

test('pay_test pays once for each purpose, and other terms under it are a conflict with the first result', async () => {
  const intent = await newIntent(t.shop, 300);
  const part = { target: intent.id, amountCents: 100, purpose: 'a first part' };
  const first = await use(assistant, 'pay_test', part);
  expect(first.signature).toMatch(/^\w{64,88}$/);
  for (let i = 0; i < 3; i++) expect(await use(assistant, 'pay_test', part)).toEqual(first);
  const other = await refused(assistant, 'pay_test', { ...part, amountCents: 200 });
  expect(other).toMatchObject({ error: { code: 'IDEMPOTENCY_CONFLICT' }, firstResult: first });
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'underpaid', cents: 100 });
  await use(assistant, 'pay_test', { target: intent.id, purpose: 'the rest' });
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 300 });
});

test('what was refused is not remembered: the same purpose works once it can', async () => {
  const intent = await newIntent(t.shop, 100);
  const purpose = 'pay it twice over';
  const tooMuch = { target: intent.id, amountCents: 2 * 10 ** 15, purpose };
  expect(await refused(assistant, 'pay_test', tooMuch)).toMatchObject({ error: { code: 'BAD_REQUEST' } });
  await use(assistant, 'pay_test', { target: intent.id, purpose });
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'succeeded', cents: 100 });
});

test('advance_clock goes once to where it was to go, also at the same time and after a month', async () => {
  const before = t.service.clock.now().getTime();
  const month = { advanceSeconds: DAYS_30, purpose: 'the next month' };
  const answers = await Promise.all(Array.from({ length: 3 }, () => use(assistant, 'advance_clock', month)));
  answers.push(await use(assistant, 'advance_clock', month));
  expect(new Set(answers.map(({ now }) => now)).size).toBe(1);
  const passed = () => Math.floor((t.service.clock.now().getTime() - before) / 1_000 / DAYS_30);
  expect(passed()).toBe(1);
  await use(assistant, 'advance_clock', { ...month, purpose: 'the month after' });
  expect(passed()).toBe(2);
  const other = { advanceSeconds: 1, purpose: 'the month after' };
  expect(await refused(assistant, 'advance_clock', other)).toMatchObject({
    error: { code: 'IDEMPOTENCY_CONFLICT' },
  });
});

test('so do the routes, by Idempotency-Key', async () => {
  const intent = await newIntent(t.shop, 100);
  const key = { 'idempotency-key': randomUUID() };
  const pay = () =>
    t.shop.call('POST', '/api/v2/sandbox/payments', { paymentIntentId: intent.id, amountCents: 50 }, key);
  const [first, second] = [await pay(), await pay()];
  expect([first.status, second.text]).toEqual([202, first.text]);
  await t.finalize();
  expect(await readIntent(t.shop, intent)).toEqual({ status: 'underpaid', cents: 50 });
  const to = new Date(t.service.clock.now().getTime() + 60_000).toISOString();
  const move = () => t.shop.call('POST', '/api/v2/sandbox/clock', { to }, key);
  const moved = [await move(), await move()];
  expect(moved.map(({ status, body }) => [status, body.now])).toEqual([
    [200, to],
    [200, to],
  ]);
  const past = { to: new Date(0).toISOString() };
  const refusedMove = await t.shop.call('POST', '/api/v2/sandbox/clock', past, {
    'idempotency-key': randomUUID(),
  });
  expect(refusedMove.status).toBe(400);
});
