import { expect, test } from 'vitest';
import type { Language } from '../../platform/lib/language.ts';
import { describeTrial, type Reduced } from './trial.ts';

const monthly = { unitAmountCents: 1_000n, recurringInterval: 'month', recurringIntervalCount: 1 } as const;

test.each([
  ['en', 'Free for 14 days, then $10.00 every month.'],
  ['de', '14 Tage kostenlos, danach 10,00 $ jeden Monat.'],
  ['es', '14 días gratis; después, 10,00 US$ cada mes.'],
  ['fr', 'Gratuit pendant 14 jours, puis 10,00 $US chaque mois.'],
  ['ar', 'مجانًا لمدة 14 يومًا، ثم 10.00 US$ كل شهر.'],
] as const)('%s: what is free and what comes after', (language, sentence) => {
  const said = describeTrial(14, monthly, 1n, language).replace(/[\u2066\u2069]/g, '');
  expect(said.replace(/[\u00a0\u202f]/g, ' ')).toBe(sentence);
});

test('one day, seats and a longer interval', () => {
  const yearly = { ...monthly, recurringInterval: 'year', recurringIntervalCount: 2 } as const;
  expect(describeTrial(1, yearly, 3n, 'en')).toBe('Free for 1 day, then $30.00 every 2 years.');
  expect(describeTrial(2, monthly, 1n, 'ar')).toContain('يومين');
});

const SPOKEN = /[\u2066\u2069]/g;
const said = (language: Language, reduced: Reduced, price: Parameters<typeof describeTrial>[1] = monthly) =>
  describeTrial(14, price, 1n, language, reduced)
    .replace(SPOKEN, '')
    .replace(/[\u00a0\u202f]/g, ' ');

test.each([
  ['en', 'Free for 14 days, then $7.50 for 1 month, and after that $10.00 every month.'],
  ['de', '14 Tage kostenlos, danach 7,50 $ für 1 Monat und anschließend 10,00 $ jeden Monat.'],
  ['es', '14 días gratis; después, 7,50 US$ por 1 mes y, a continuación, 10,00 US$ cada mes.'],
  ['fr', 'Gratuit pendant 14 jours, puis 7,50 $US pour 1 mois, et ensuite 10,00 $US chaque mois.'],
  ['ar', 'مجانًا لمدة 14 يومًا، ثم 7.50 US$ لمدة شهر، وبعد ذلك 10.00 US$ كل شهر.'],
] as const)('%s: a discount of the first period, and what comes after it', (language, sentence) => {
  expect(said(language, { amountCents: 750n, periods: 1 })).toBe(sentence);
});

test.each([
  ['en', 'Free for 14 days, then $7.50 every 2 months for 6 months, and after that $10.00 every 2 months.'],
  [
    'de',
    '14 Tage kostenlos, danach 6 Monate lang 7,50 $ alle 2 Monate und anschließend 10,00 $ alle 2 Monate.',
  ],
  [
    'es',
    '14 días gratis; después, 7,50 US$ cada 2 meses durante 6 meses y, a continuación, 10,00 US$ cada 2 meses.',
  ],
  [
    'fr',
    'Gratuit pendant 14 jours, puis 7,50 $US tous les 2 mois pendant 6 mois, et ensuite 10,00 $US tous les 2 mois.',
  ],
  ['ar', 'مجانًا لمدة 14 يومًا، ثم 7.50 US$ كل شهرين لمدة 6 أشهر، وبعد ذلك 10.00 US$ كل شهرين.'],
] as const)('%s: a discount of several periods, in months', (language, sentence) => {
  expect(said(language, { amountCents: 750n, periods: 3 }, { ...monthly, recurringIntervalCount: 2 })).toBe(
    sentence,
  );
});

test('a discount that never ends is the price; one of two months has its own word in Arabic', () => {
  expect(said('en', { amountCents: 750n, periods: null })).toBe('Free for 14 days, then $7.50 every month.');
  expect(said('ar', { amountCents: 750n, periods: 2 })).toContain('لمدة شهرين،');
});
