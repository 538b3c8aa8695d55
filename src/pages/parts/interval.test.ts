import { expect, test } from 'vitest';
import type { Interval } from '../../billing/catalog/price.ts';
import type { Language } from '../../platform/lib/language.ts';
import { formatEvery } from './interval.ts';

test.each([
  ['en', 'month', 1, 'every month'],
  ['en', 'month', 6, 'every 6 months'],
  ['en', 'day', 1000, 'every 1,000 days'],
  ['de', 'week', 1, 'jede Woche'],
  ['de', 'year', 2, 'alle 2 Jahre'],
  ['es', 'month', 6, 'cada 6 meses'],
  ['fr', 'week', 2, 'toutes les 2 semaines'],
  ['fr', 'year', 1, 'chaque année'],
  ['fr', 'year', 2, 'tous les 2 ans'],
  ['ar', 'month', 1, 'كل شهر'],
  ['ar', 'month', 2, 'كل شهرين'],
  ['ar', 'month', 6, 'كل 6 أشهر'],
  ['ar', 'day', 30, 'كل 30 يومًا'],
] as [Language, Interval, number, string][])('%s: %s × %i is %s', (language, interval, count, text) => {
  // French has a space there that does not break.
  expect(formatEvery(interval, count, language).replaceAll('\u00a0', ' ')).toBe(text);
});
