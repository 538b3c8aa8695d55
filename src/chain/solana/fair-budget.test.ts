import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FairBudget, inShareOf } from './fair-budget.ts';

// Time passes when the test says so.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  // Long enough for calls to have been saved up.
  vi.advanceTimersByTime(60_000);
});
afterEach(() => void vi.useRealTimers());

test('a share that wants one call waits for one call of each other, not for all they want', async () => {
  const budget = new FairBudget(100);
  const served: string[] = [];
  const want = (share: string, count: number) =>
    Array.from({ length: count }, () => inShareOf(share, () => budget.take()).then(() => served.push(share)));
  // More than was saved up, so that everybody after has to wait.
  const first = want('first', 150);
  const all = Promise.all([...first, ...want('flooded', 50), ...want('busy', 3), ...want('quiet', 1)]);
  await vi.advanceTimersByTimeAsync(5_000);
  await all;
  const others = served.filter((share) => share !== 'first');
  expect(others.slice(0, 7)).toEqual(['flooded', 'busy', 'quiet', 'flooded', 'busy', 'flooded', 'busy']);
  expect(others).toHaveLength(54);
});

test('the clients of one merchant take turns within its turns, and another merchant waits for one of them', async () => {
  const budget = new FairBudget(100);
  const served: string[] = [];
  const want = (share: string | readonly string[], count: number, as: string) =>
    Array.from({ length: count }, () => inShareOf(share, () => budget.take()).then(() => served.push(as)));
  const first = want('first', 101, 'first');
  const all = Promise.all([
    ...first,
    ...Array.from({ length: 30 }, (_, i) => want(['A', `client ${i}`], 3, 'A')).flat(),
    ...want(['A', 'customer'], 1, 'customer of A'),
    ...want(['B', 'client 0'], 2, 'B'),
  ]);
  await vi.advanceTimersByTimeAsync(5_000);
  await all;
  const order = served.filter((who) => who !== 'first');
  expect(order.slice(0, 4)).toEqual(['A', 'B', 'A', 'B']);
  // After one turn of each client that came before, and not after all of theirs.
  expect(order.filter((who) => who !== 'B').indexOf('customer of A')).toBe(30);
});

test('what is urgent goes first, and leaves the others one call in four', async () => {
  const budget = new FairBudget(100);
  const served: string[] = [];
  const want = (share: string, count: number, isUrgent = false) =>
    Array.from({ length: count }, () =>
      inShareOf(share, () => budget.take(), { isUrgent }).then(() => served.push(share)),
    );
  const all = Promise.all([...want('first', 101), ...want('walk', 6), ...want('paid', 6, true)]);
  await vi.advanceTimersByTimeAsync(5_000);
  await all;
  const order = served.filter((share) => share !== 'first').map((share) => share[0]);
  expect(order.join('')).toBe('pppwpppwwwww');
});

test('calls that were saved up are made at once, and no more than that', async () => {
  const budget = new FairBudget(50);
  let made = 0;
  for (let i = 0; i < 70; i++) void budget.take().then(() => made++);
  await vi.advanceTimersByTimeAsync(0);
  // A second's worth, and the one that is due now.
  expect(made).toBe(51);
  await vi.advanceTimersByTimeAsync(19);
  expect(made).toBe(51);
  await vi.advanceTimersByTimeAsync(1);
  expect(made).toBe(52);
  await vi.advanceTimersByTimeAsync(180);
  expect(made).toBe(61);
  await vi.advanceTimersByTimeAsync(180);
  expect(made).toBe(70);
});
