import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseForeignJson } from './foreign-json.ts';
import { storableText } from './storable-text.ts';

describe('parseForeignJson', () => {
  test.each<[string, unknown]>([
    ['{"a":"x\\u0000y"}', { a: 'x\0y' }],
    ['{"a":"\\ud800"}', { a: '\ud800' }],
    ['{"a":"x\0y\u0007"}', { a: 'x y ' }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['\ufeff[1]', [1]],
    ['18446744073709551615', 18446744073709551615n],
    ['[-9223372036854775808,9007199254740991]', [-9223372036854775808n, 9007199254740991]],
    [
      '{"text":"18446744073709551615","n":9007199254740993}',
      { text: '18446744073709551615', n: 9007199254740993n },
    ],
    ['[1e999,-1e999]', [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]],
    ['0.1234567890123456789', 0.12345678901234568],
  ])('%j', (text, value) => {
    expect(parseForeignJson(text)).toEqual(value);
  });

  test('a number of a million digits costs no time, and a million levels no stack', () => {
    expect(parseForeignJson('9'.repeat(1_000_000))).toBe(Number.POSITIVE_INFINITY);
    const deep = `[1234567890123456789,${'['.repeat(100_000)}${']'.repeat(100_000)}]`;
    expect(Array.isArray(parseForeignJson(deep))).toBe(true);
  });

  test('what no reader can read is refused', () => {
    for (const text of ['', '{', '{"a":}', 'null null', '"\\x"', '<html>'])
      expect(() => parseForeignJson(text)).toThrow(SyntaxError);
  });

  test('equals JSON.parse on anything JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/[0-9]{16}/.test(text));
        expect(parseForeignJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

test('text is stored without what PostgreSQL refuses', () => {
  expect(storableText('a\0b\ud800c\udc00', 100)).toBe('a\ufffdb\ufffdc\ufffd');
  expect(storableText('😀😀', 3)).toBe('😀\ufffd');
});
