import { expect, test } from 'vitest';
import { cutText, padText, plainText, textWidth } from './text-width.ts';

test('wide letters take two columns, marks none', () => {
  expect([textWidth('abc'), textWidth('日本'), textWidth('e\u0301'), textWidth('🦀')]).toEqual([3, 4, 1, 2]);
  expect([padText('日', 4), padText('$1', 4, true)]).toEqual(['日  ', '  $1']);
});

test('what is cut fits and says so', () => {
  expect([cutText('abcdef', 6), cutText('abcdef', 4), cutText('日本語', 4)]).toEqual([
    'abcdef',
    'abc…',
    '日…',
  ]);
});

test('nothing of others moves the cursor, rings, recolours or turns the direction', () => {
  expect(plainText('\u001b[31mred\u0007\r\nnext\u009b2J\u202egnp')).toBe(' [31mred next 2J gnp');
});
