import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, stringifyJson } from './json.ts';

test('an integer keeps every digit: a number where that is exact, a bigint where it is not', () => {
  expect(parseJson('9007199254740991')).toBe(9007199254740991);
  expect(parseJson('9007199254740992')).toBe(9007199254740992n);
  expect(parseJson('{"a":[-9223372036854775808,{"b":9223372036854775807}],"c":1.5e3,"d":-0}')).toEqual({
    a: [-9223372036854775808n, { b: 9223372036854775807n }],
    c: 1500,
    d: -0,
  });
  expect(stringifyJson({ amountCents: 2n ** 63n - 1n })).toBe('{"amountCents":9223372036854775807}');
});

test('digits in text, escapes and odd keys stay what they are beside a long integer', () => {
  const text =
    ' {"__proto__" : {"x":1}, "a,:{}[]\\"\\\\" : "9223372036854775807", "n":9223372036854775807,\n"e":[],"o":{}} ';
  const value = parseJson(text) as Record<string, unknown>;
  expect(Object.entries(value)).toEqual([
    ['__proto__', { x: 1 }],
    ['a,:{}[]"\\', '9223372036854775807'],
    ['n', 9223372036854775807n],
    ['e', []],
    ['o', {}],
  ]);
});

test('what is not JSON is refused, long integer or not', () => {
  for (const text of ['', '{', '[1,]', '9223372036854775807,', '{"a":9223372036854775807 "b":1}', 'NaN']) {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  }
});

test('whatever is written is read back the same, and written as JSON.stringify would', () => {
  const leaf = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.boolean(),
    fc.constant(null),
    fc.maxSafeInteger(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
    fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(value, (some) => {
      expect(parseJson(stringifyJson(some))).toEqual(some);
    }),
  );
  fc.assert(
    fc.property(
      fc.object({
        values: [fc.string(), fc.integer(), fc.boolean()],
        withDate: true,
        maxDepth: 2,
        maxKeys: 5,
      }),
      (some) => {
        expect(stringifyJson(some)).toBe(JSON.stringify(some));
      },
    ),
  );
});

test('undefined is left out, a Date is its moment, and a number that lost its digits is refused', () => {
  const at = new Date('2026-11-15T07:00:00Z');
  expect(stringifyJson({ a: undefined, at, list: [undefined] })).toBe(
    '{"at":"2026-11-15T07:00:00.000Z","list":[null]}',
  );
  expect(() => stringifyJson({ amountCents: 2 ** 53 })).toThrow('give it as a bigint');
  expect(() => stringifyJson({ amountCents: Number.NaN })).toThrow('NaN is not a number that can be sent');
});
