import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, stringifyJson } from './json.ts';

test('every digit of an integer is kept, both ways', () => {
  const text =
    '{"amount":18446744073709551615,"least":-9223372036854775808,"safe":9007199254740991,"part":0.5}';
  expect(parseJson(text)).toEqual({
    amount: 18_446_744_073_709_551_615n,
    least: -9_223_372_036_854_775_808n,
    safe: 9_007_199_254_740_991,
    part: 0.5,
  });
  expect(stringifyJson(parseJson(text))).toBe(text);
  expect(parseJson('["18446744073709551615", 1e20, 1.5e300]')).toEqual([
    '18446744073709551615',
    1e20,
    1.5e300,
  ]);
});

test('apart from that it reads and writes as JSON does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(JSON.parse(text));
    }),
  );
  for (const text of ['', '{', '[1,]', '01', 'NaN']) expect(() => parseJson(text)).toThrow(SyntaxError);
});
