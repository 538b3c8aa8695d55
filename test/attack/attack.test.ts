import { expect, test } from 'vitest';
import { cleanUp } from '../support/clean-up.ts';
import { runAttacks } from './attacks.ts';
import { startTarget } from './target.ts';

/** The same as `npm run attack`. */
test('no attack on a running service succeeds', async () => {
  const results = await runAttacks(await startTarget(cleanUp), () => {});
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
  expect(new Set(results.map(({ name }) => name)).size).toBe(results.length);
});
