import { expect, test } from 'vitest';
import { parseDuration, parseSince } from './durations.ts';
import { dollars, formatValue, labelOf, parseDollars } from './format-value.ts';

test('cents are shown exactly, to the edge of int64', () => {
  expect([0, 5, -1250, 123456789].map(dollars)).toEqual(['$0.00', '$0.05', '-$12.50', '$1,234,567.89']);
  expect(dollars(9_223_372_036_854_775_807n)).toBe('$92,233,720,368,547,758.07');
});

test('dollars are read exactly, and nothing else is', () => {
  expect(['12', '12.3', '$12.34', '0.05', '90071992547409.93'].map(parseDollars)).toEqual([
    1200n,
    1230n,
    1234n,
    5n,
    9_007_199_254_740_993n,
  ]);
  for (const text of ['', '.5', '1.234', '1,5', '-1', '1e3', 'x']) expect(parseDollars(text)).toBeUndefined();
});

test('fields as people read them', () => {
  const iso = '2026-01-31T12:34:56.789Z';
  expect(formatValue('createdAt', iso, true)).toBe('2026-01-31 12:34');
  expect(formatValue('createdAt', iso, false)).toBe('2026-01-31 12:34:56 UTC');
  expect([null, true, [], ['a', 2]].map((value) => formatValue('x', value, true))).toEqual([
    '–',
    'yes',
    'none',
    'a, 2',
  ]);
  expect([labelOf('amountReceivedCents'), labelOf('projectId')]).toEqual(['amount received', 'project id']);
});

test('durations, and moments relative to now', () => {
  expect(['90s', '30m', '2h', '1d12h', '1w'].map(parseDuration)).toEqual([90, 1800, 7200, 129_600, 604_800]);
  for (const text of ['', '5', '5y', '-1d', '1 d']) expect(parseDuration(text)).toBeUndefined();
  const now = new Date('2026-01-31T12:00:00Z');
  expect(parseSince('2h', now)).toEqual(new Date('2026-01-31T10:00:00Z'));
  expect(parseSince('2026-01-01', now)).toEqual(new Date('2026-01-01'));
  expect(() => parseSince('soon', now)).toThrow('--since');
});
