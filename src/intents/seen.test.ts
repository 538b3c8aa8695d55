import { expect, test } from 'vitest';
import { addsCents, isSeen } from './seen.ts';

test('money is seen from the first whole cent on', () => {
  expect([0n, 1n, 9_999n, 10_000n, 10_001n].map(isSeen)).toEqual([false, false, false, true, true]);
});

test('dust counts as soon as it makes a cent whole', () => {
  expect(addsCents(9_999n, 1n)).toBe(true);
  expect(addsCents(10_000n, 9_999n)).toBe(false);
  expect(addsCents(19_999n, 1n)).toBe(true);
  expect(addsCents(5n, 0n)).toBe(false);
});
