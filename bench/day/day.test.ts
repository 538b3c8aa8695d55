import { expect, test } from 'vitest';
import { putBetween } from '../put-between.ts';
import { daySection } from './day-section.ts';
import { PATHS } from './mix.ts';
import { listUndelivered } from './nothing-lost.ts';
import { keepRates, Times } from './open-loop.ts';
import { isGrowing, slopePerMinute, trendOf } from './trends.ts';

const times = { count: 9, errors: 0, p50Ms: 4.21, p95Ms: 31.6, p99Ms: 1_240 };

test('the README of the benches gets a row for each path that was measured, between its comments and nowhere else', () => {
  const section = daySection(
    { [PATHS.createIntent]: times, [PATHS.news]: times },
    { busy: 0.704, seconds: 600, where: '2 × Neoverse-N1, 24 GB' },
  );
  expect(section).toContain('(2 × Neoverse-N1, 24 GB), 70 % busy for 10 minutes');
  expect(section.split('\n').filter((line) => line.startsWith('| an'))).toEqual([
    '| an intent created | 4.2 ms | 32 ms | 1.2 s |',
  ]);
  const readme = 'before\n<!-- day -->\nold\n<!-- end of day -->\nafter\n';
  expect(putBetween(readme, 'day', 'new\n')).toBe('before\n<!-- day -->\nnew\n<!-- end of day -->\nafter\n');
  expect(() => putBetween('no place', 'day', 'new\n')).toThrow('there is no place for day');
});

test('what is begun late counts from the moment it was due, and nothing waits for an answer', async () => {
  const noted = new Times();
  const dueMs: number[] = [];
  let ended = 0;
  const act = async (due: number) => {
    dueMs.push(due);
    if (dueMs.length === 1) await holdLoop();
    await noted.take('slow', due, async () => {});
    ended++;
  };
  await keepRates([{ path: 'slow', perSecond: 100, act }], 0.2, { times: noted, lateMs: [] });
  expect(ended).toBe(dueMs.length);
  const gaps = dueMs.slice(1).map((due, i) => Math.round(due - dueMs[i]!));
  expect(new Set(gaps)).toEqual(new Set([10]));
  // Work that was due while the loop was held has waited for most of that time.
  expect(Math.max(...noted.ms.get('slow')!)).toBeGreaterThan(50);
});

function holdLoop(): Promise<void> {
  for (const untilMs = performance.now() + 100; performance.now() < untilMs; );
  return Promise.resolve();
}

test('an error is counted once, under its path', async () => {
  const noted = new Times();
  const act = (due: number) => noted.take('broken', due, () => Promise.reject(new Error('no')));
  await keepRates([{ path: 'broken', perSecond: 20, act }], 0.1, { times: noted, lateMs: [] });
  const begun = noted.errors.get('broken')!.length;
  expect(noted.summary().broken).toMatchObject({ count: 0, errors: begun });
  expect(begun).toBeGreaterThan(0);
});

test('a queue grows when it ends far longer than it was, not when it swings', () => {
  const rising = Array.from({ length: 30 }, (_, i) => i * 20);
  const swinging = Array.from({ length: 30 }, (_, i) => (i % 2) * 500);
  expect([isGrowing(trendOf(rising)), isGrowing(trendOf(swinging))]).toEqual([true, false]);
  expect(slopePerMinute(rising.map((value, i) => ({ atMs: i * 1_000, value })))).toBeCloseTo(1_200);
});

test('an event that never came, or came before an earlier one of its key, is reported', () => {
  const event = (id: string, orderingKey: string) => ({
    id,
    orderingKey,
    event: 'invoice.paid',
    objectId: id,
    createdMs: 0,
    intentId: null,
  });
  const events = [event('a', 'x'), event('b', 'y'), event('c', 'x'), event('d', 'y')];
  expect(
    listUndelivered(
      events,
      ['b', 'a', 'c', 'd'].map((id) => [id, 0]),
    ),
  ).toEqual([]);
  expect(
    listUndelivered(
      events,
      ['c', 'a', 'b'].map((id) => [id, 0]),
    ),
  ).toEqual(['1 of 4 events never came', '1 of 4 events came out of order']);
});
