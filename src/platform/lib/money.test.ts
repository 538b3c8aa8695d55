import { expect, test } from 'vitest';
import { baseUnitsToCents, centsToBaseUnits, MAX_INT64, saturateInt64 } from './money.ts';

test('a cent is 10,000 base units; fractions of a cent are floored', () => {
  expect(centsToBaseUnits(1250n)).toBe(12_500_000n);
  expect(baseUnitsToCents(12_509_999n)).toBe(1250n);
  expect(centsToBaseUnits(MAX_INT64)).toBe(MAX_INT64 * 10_000n);
  expect(saturateInt64(MAX_INT64 + 1n)).toBe(MAX_INT64);
});
