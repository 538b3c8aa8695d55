import { expect, test } from 'vitest';
import { LANGUAGES } from '../../platform/lib/language.ts';
import { formatMonth } from './format.ts';

test('a month is that of UTC, in western digits', () => {
  const last = new Date('2026-11-30T23:59:59Z');
  expect(formatMonth(last, 'en')).toBe('November 2026');
  for (const language of LANGUAGES) expect(formatMonth(last, language)).toContain('2026');
});
