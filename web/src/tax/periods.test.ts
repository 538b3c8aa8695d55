import { expect, test } from 'vitest';
import { rangeOf, usualPeriods } from './periods.ts';

test('the usual periods are whole, also across a year', () => {
  expect(usualPeriods(new Date('2026-02-28T23:59:59Z'))).toEqual([
    { label: 'This quarter', from: '2026-01-01', to: '2026-03-31' },
    { label: 'Last quarter', from: '2025-10-01', to: '2025-12-31' },
    { label: 'This month', from: '2026-02-01', to: '2026-02-28' },
    { label: 'Last month', from: '2026-01-01', to: '2026-01-31' },
    { label: 'This year', from: '2026-01-01', to: '2026-12-31' },
    { label: 'Last year', from: '2025-01-01', to: '2025-12-31' },
  ]);
});

test('a range ends with the last day, and what is no period is nothing', () => {
  const day = { from: '2026-03-01', to: '2026-03-01' };
  expect(rangeOf(day)).toEqual({
    from: new Date('2026-03-01T00:00:00Z'),
    to: new Date('2026-03-02T00:00:00Z'),
  });
  expect(rangeOf({ ...day, to: '2026-02-28' })).toBeUndefined();
  expect(rangeOf({ ...day, from: 'yesterday' })).toBeUndefined();
  expect(rangeOf({ ...day, to: '2026-13-01' })).toBeUndefined();
});
