import { expect, test } from 'vitest';
import { latestMonths, rangeOf, usualPeriods } from './periods.ts';

test('the usual periods are whole, also across a year, where the merchant is', () => {
  const now = new Date('2026-02-28T23:59:59Z');
  expect(usualPeriods(now, 'Asia/Kathmandu')[2]).toMatchObject({ from: '2026-03-01', to: '2026-03-31' });
  expect(latestMonths(now, 'Asia/Kathmandu')[0]).toEqual({ value: '2026-03', label: 'March 2026' });
  expect(usualPeriods(now, 'UTC')).toEqual([
    { label: 'This quarter', from: '2026-01-01', to: '2026-03-31' },
    { label: 'Last quarter', from: '2025-10-01', to: '2025-12-31' },
    { label: 'This month', from: '2026-02-01', to: '2026-02-28' },
    { label: 'Last month', from: '2026-01-01', to: '2026-01-31' },
    { label: 'This year', from: '2026-01-01', to: '2026-12-31' },
    { label: 'Last year', from: '2025-01-01', to: '2025-12-31' },
  ]);
});

test('a range is its days, and what is no period is nothing', () => {
  const day = { from: '2026-03-01', to: '2026-03-01' };
  expect(rangeOf(day)).toEqual(day);
  expect(rangeOf({ ...day, to: '2026-02-28' })).toBeUndefined();
  expect(rangeOf({ ...day, from: 'yesterday' })).toBeUndefined();
  expect(rangeOf({ ...day, to: '2026-13-01' })).toBeUndefined();
});
