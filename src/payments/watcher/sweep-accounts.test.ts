import { expect, test } from 'vitest';
import { apartMs, isExplained } from './sweep-accounts.ts';

const proven = { provenSlot: 20n, provenBalance: 5n };
const unproven = { provenSlot: null, provenBalance: null };
const held = (slot: number, balance: bigint | undefined) => ({ slot, balance });

test('a balance is explained by the newest transaction, or by the last proof where that is newer', () => {
  const known = { slot: 30n, balances: [7n, 8n] };
  expect(isExplained(proven, known, held(40, 8n))).toBe(true);
  expect(isExplained(proven, known, held(40, 5n))).toBe(false);
  expect(isExplained(unproven, known, held(40, 7n))).toBe(true);
  const older = { slot: 10n, balances: [9n] };
  expect(isExplained(proven, older, held(40, 9n))).toBe(false);
  expect(isExplained(proven, older, held(40, 5n))).toBe(true);
});

test('an account of which nothing is known is explained when it is empty, and one that cannot be parsed never is', () => {
  expect(isExplained(unproven, undefined, held(40, 0n))).toBe(true);
  expect(isExplained(unproven, undefined, held(40, 1n))).toBe(false);
  expect(isExplained(proven, undefined, held(40, undefined))).toBe(false);
});

test('a node that is behind the proof says nothing', () => {
  expect(isExplained(proven, undefined, held(19, 1n))).toBe(true);
});

test.each([
  [0, 5_000],
  [100, 5_000],
  [1_000, 500],
  [10_000, 100],
  [100_000, 100],
])('%i accounts are asked about in calls %i ms apart', (accounts, ms) => {
  expect(apartMs(accounts, 5_000)).toBe(ms);
});
