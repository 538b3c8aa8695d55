import { expect, test } from 'vitest';
import { describeTrial } from './trial.ts';

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
