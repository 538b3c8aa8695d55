import { expect, test } from 'vitest';
import { FairBudget, inShareOf } from './fair-budget.ts';

/** A budget whose saved-up calls are used up. */
async function spentBudget(maxPerSecond: number): Promise<FairBudget> {
  const budget = new FairBudget(maxPerSecond);
  for (let i = 0; i < maxPerSecond; i++) await budget.take();
  return budget;
}

test('a share that wants one call waits for one call of each other, not for all they want', async () => {
  const budget = await spentBudget(200);
  const served: string[] = [];
  const want = (share: string, count: number) =>
    Array.from({ length: count }, () => inShareOf(share, () => budget.take()).then(() => served.push(share)));
  const all = [...want('flooded', 100), ...want('busy', 5), ...want('quiet', 1)];
  await Promise.all(all);
  expect(served.slice(0, 6)).toEqual(['flooded', 'busy', 'quiet', 'flooded', 'busy', 'flooded']);
  expect(served.indexOf('quiet')).toBe(2);
  expect(served.filter((share) => share === 'busy')).toHaveLength(5);
  expect(served.lastIndexOf('busy')).toBe(10);
});

test('calls that were saved up are made at once, and no more than that', async () => {
  const budget = new FairBudget(50);
  const startedMs = performance.now();
  for (let i = 0; i < 50; i++) await budget.take();
  await Promise.all(Array.from({ length: 10 }, () => budget.take()));
  // Ten more at fifty a second take a fifth of a second at the least, however fast the machine.
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(180);
});
