import { expect, test } from 'vitest';
import { FairBudget, inShareOf } from './fair-budget.ts';

test('a share that wants one call waits for one call of each other, not for all they want', async () => {
  const budget = new FairBudget(100);
  const served: string[] = [];
  const want = (share: string, count: number) =>
    Array.from({ length: count }, () => inShareOf(share, () => budget.take()).then(() => served.push(share)));
  // More than was saved up, so that everybody after has to wait.
  const first = want('first', 150);
  await Promise.all([...first, ...want('flooded', 50), ...want('busy', 3), ...want('quiet', 1)]);
  const others = served.filter((share) => share !== 'first');
  expect(others.slice(0, 7)).toEqual(['flooded', 'busy', 'quiet', 'flooded', 'busy', 'flooded', 'busy']);
  expect(others).toHaveLength(54);
});

test('calls that were saved up are made at once, and no more than that', async () => {
  const budget = new FairBudget(50);
  const startedMs = performance.now();
  for (let i = 0; i < 50; i++) await budget.take();
  await Promise.all(Array.from({ length: 10 }, () => budget.take()));
  // Ten more at fifty a second take a fifth of a second at the least, however fast the machine.
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(180);
});
