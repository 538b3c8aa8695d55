import { expect, test } from 'vitest';
import { cutText, padText, plainText, textWidth } from './text-width.ts';

test('wide letters take two columns, marks none', () => {
  expect([textWidth('abc'), textWidth('日本'), textWidth('e\u0301'), textWidth('🦀')]).toEqual([3, 4, 1, 2]);
  expect([padText('日', 4), padText('$1', 4, true)]).toEqual(['日  ', '  $1']);
});

test.each([
  ['a flag', '🇩🇪', 2],
  ['a family', '👨‍👩‍👧', 2],
  ['a skin tone', '👍🏽', 2],
  ['a heart in colour', '❤️', 2],
  ['a keycap', '1️⃣', 2],
  ['Hangul in its parts', '\u1112\u1161\u11ab', 2],
  ['half-width kana with its mark', 'ｶﾞ', 2],
  ['Tangut', '𗀀', 2],
  ['Thai with marks', 'น้ำ', 2],
  ['a currency sign', '€', 1],
  ['a letter with an emoji selector', 'a\ufe0f', 1],
  ['a phone in colour, and one that is not', '☎️☎', 3],
  ['Hebrew', 'שלום', 4],
  ['nothing', '', 0],
])('%s: %s takes %i columns', (_, text, width) => {
  expect(textWidth(text)).toBe(width);
});

test('what is cut keeps whole characters, however many parts they have', () => {
  expect([cutText('🇩🇪🇫🇷🇪🇸', 5), cutText('👨‍👩‍👧 family', 4), cutText('noe\u0301l', 3)]).toEqual([
    '🇩🇪🇫🇷…',
    '👨‍👩‍👧 …',
    'no…',
  ]);
  expect(cutText('🇩🇪🇫🇷🇪🇸', 4)).toBe('🇩🇪…');
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
