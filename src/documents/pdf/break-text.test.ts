import { expect, test } from 'vitest';
import { breakLines } from './break-text.ts';

/** The lines of a text whose every character is one wide. */
function lines(text: string, width: number): string[] {
  let start = 0;
  return breakLines(
    text,
    Array.from(text, () => 1),
    width,
  ).map((end) => {
    const line = text.slice(start, end);
    start = end;
    return line;
  });
}

test.each([
  ['between words', 'one two three', 7, ['one two ', 'three']],
  ['a word too long for a line inside it', 'abcdefgh ij', 3, ['abc', 'def', 'gh ', 'ij']],
  ['never before a closing mark', 'one (two), x', 9, ['one ', '(two), x']],
  ['after a hyphen', 'well-known', 6, ['well-', 'known']],
  ['between Chinese characters, not before their full stop', '你好世界。你好', 4, ['你好世', '界。你好']],
  ['between Thai words', 'แผนรายเดือน', 8, ['แผนราย', 'เดือน']],
  ['not inside a letter with its mark', 'ab\u0323\u0323cd', 2, ['a', 'b\u0323\u0323', 'cd']],
])('breaks %s', (_case, text, width, expected) => {
  expect(lines(text, width)).toEqual(expected);
});

test('no character is lost, however narrow the line', () => {
  const text = 'A long-ish text, 混ぜた文章 and กำลัง 👩‍👩‍👧 end';
  for (const width of [0, 1, 2, 5, 100]) expect(lines(text, width).join('')).toBe(text);
});
