import { expect, test } from 'vitest';
import { changeOf, rowsOf } from './metadata-rows.ts';

const before = { tier: 'gold', note: 'x' };
const row = (key: string, value: string) => ({ id: 0, key, value });

test('an untouched form changes nothing', () => {
  expect(changeOf(before, rowsOf(before))).toEqual({});
});

test('what is gone is removed, what differs is set, and empty lines do not count', () => {
  const rows = [row('tier', 'silver'), row(' region ', 'eu'), row('', '')];
  expect(changeOf(before, rows)).toEqual({ note: null, tier: 'silver', region: 'eu' });
});

test('a value without a key and a key that is there twice are said', () => {
  expect(() => changeOf({}, [row('', 'x')])).toThrow('Every value needs a key.');
  expect(() => changeOf({}, [row('a', '1'), row('a ', '2')])).toThrow('twice');
});
