import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { prorate } from './prorate.ts';

const start = new Date('2026-01-01T00:00:00Z');
const period = { start, end: new Date(start.getTime() + 30 * DAY_MS) };

test('500 to 2000 after one of thirty days: 483 back, 1933 to pay', () => {
  const at = new Date(start.getTime() + DAY_MS);
  expect(prorate(period, at, 500n, 2000n)).toEqual({ creditCents: 483n, chargeCents: 1933n });
});

test('all of it at the start, nothing at the last moment', () => {
  expect(prorate(period, start, 500n, 2000n)).toEqual({ creditCents: 500n, chargeCents: 2000n });
  expect(prorate(period, period.end, 500n, 2000n)).toEqual({ creditCents: 0n, chargeCents: 0n });
});

test('half a cent goes up in a charge, and is not credited', () => {
  const day = { start, end: new Date(start.getTime() + 2_000) };
  expect(prorate(day, new Date(start.getTime() + 1_000), 1n, 3n)).toEqual({
    creditCents: 0n,
    chargeCents: 2n,
  });
});

test('a credit is never more than its share, a charge within half a cent of it, also at the edge of int64', () => {
  const cents = fc.bigInt({ min: 1n, max: 9_223_372_036_854_775_807n });
  fc.assert(
    fc.property(cents, cents, fc.integer({ min: 0, max: 30 * 86_400 }), (before, after, used) => {
      const at = new Date(start.getTime() + used * 1_000);
      const { creditCents, chargeCents } = prorate(period, at, before, after);
      const [rest, whole] = [BigInt(30 * 86_400 - used), BigInt(30 * 86_400)];
      const missing = before * rest - creditCents * whole;
      expect(missing >= 0n && missing < whole).toBe(true);
      const error = 2n * (chargeCents * whole - after * rest);
      expect(chargeCents <= after && error <= whole && error > -whole).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
