import { afterEach, expect, test } from 'vitest';
import { t, tc, tn } from './t.ts';

afterEach(() => {
  globalThis.florinWords = undefined;
});

test('without a word list the English sentence is filled in', () => {
  expect(t('Paid by {name}', { name: 'Ada' })).toBe('Paid by Ada');
  expect([1, 2n, '0'].map((count) => tn(count, '{count} day', '{count} days'))).toEqual([
    '1 day',
    '2 days',
    '0 days',
  ]);
  expect(tn(1234, 'one {what}', '{count} {what}', { what: 'days' })).toBe('1,234 days');
});

test('with one, its sentence is; what is put in is left as it is', () => {
  globalThis.florinWords = {
    'Paid by {name}': 'Von {name} bezahlt',
    'Open (state)': 'Offen',
    '{count} days': { one: '{count} Tag', other: '{count} Tage' },
  };
  expect(t('Paid by {name}', { name: '{name} & {count}' })).toBe('Von {name} & {count} bezahlt');
  expect([tc('state', 'Open'), tc('action', 'Open')]).toEqual(['Offen', 'Open']);
  expect([1, 2].map((count) => tn(count, '{count} day', '{count} days'))).toEqual(['1 Tag', '2 Tage']);
});
