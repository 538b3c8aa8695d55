import { expect, test } from 'vitest';
import { LANGUAGES } from '../../platform/lib/language.ts';
import { formatDay, formatPeriod } from './format.ts';

test('a day is the day in UTC', () => {
  expect(formatDay(new Date('2026-12-31T23:59:59Z'), 'en')).toBe('Dec 31, 2026');
  expect(formatDay(new Date('2027-01-01T00:00:00Z'), 'en')).toBe('Jan 1, 2027');
});

test('a day is written as each language writes it, with the month as a word and western digits', () => {
  const day = new Date('2026-11-03T12:00:00Z');
  expect(LANGUAGES.map((language) => formatDay(day, language))).toEqual([
    'Nov 3, 2026',
    '3. Nov. 2026',
    '3 nov 2026',
    '3 nov. 2026',
    '3 نوفمبر 2026',
  ]);
});

test('a period may be open at either end', () => {
  const start = new Date('2026-11-01T00:00:00Z');
  const end = new Date('2026-12-01T00:00:00Z');
  expect(formatPeriod(start, end, 'en')).toBe('Nov 1, 2026 – Dec 1, 2026');
  expect(formatPeriod(start, null, 'en')).toBe('From Nov 1, 2026');
  expect(formatPeriod(null, end, 'en')).toBe('Until Dec 1, 2026');
  expect(formatPeriod(null, end, 'de')).toBe('Bis 1. Dez. 2026');
  expect(formatPeriod(null, null, 'en')).toBe('');
});
