import { expect, test } from 'vitest';

/** A script of the pages, which browsers load as it is. */
const { timeLeft } = await import(new URL('./browser/time-left.js', import.meta.url).href);

test.each([
  [59, 'en', '00:59'],
  [3_599, 'en', '59:59'],
  [86_399, 'en', '23:59:59'],
  [86_400, 'en', '1 day'],
  [192 * 3_600 + 1, 'en', '8 days'],
  [195 * 3_600, 'en', '8 days, 3 hours'],
  [195 * 3_600, 'de', '8 Tage, 3 Stunden'],
  [195 * 3_600, 'es', '8 días y 3 horas'],
  [195 * 3_600, 'fr', '8 jours et 3 heures'],
  [195 * 3_600, 'ar', '8 أيام و3 ساعات'],
])('%i seconds are left, in %s: %s', (seconds, language, text) => {
  expect(timeLeft(seconds, language).replace(/[\u00a0\u202f]/g, ' ')).toBe(text);
});
