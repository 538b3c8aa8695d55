import { expect, test } from 'vitest';
import { hasTooManyParameters, MAX_PARAMETERS, parseQuery, unreadableIn } from './query.ts';

test('a name given once is text, given several times a list in its order', () => {
  expect({ ...parseQuery('a=1&b=2&a=3&&a=%20x+y&c') }).toEqual({ a: ['1', '3', ' x y'], b: '2', c: '' });
});

test('names that objects have by nature are names like any other', () => {
  const query = parseQuery('__proto__=1&constructor=2&toString=3');
  expect(Object.entries(query)).toEqual([
    ['__proto__', '1'],
    ['constructor', '2'],
    ['toString', '3'],
  ]);
});

test.each(['a&', 'a=1&', 'b[]=x&', '%zz&'])('%s 8,000 times: reading stops at the limit', (part) => {
  const query = parseQuery(part.repeat(8_000));
  expect(hasTooManyParameters(query)).toBe(true);
  expect(Object.values(query).flat().length).toBeLessThanOrEqual(MAX_PARAMETERS);
});

test('8,000 different names: reading stops at the limit', () => {
  const query = parseQuery(Array.from({ length: 8_000 }, (_, i) => `a${i}`).join('&'));
  expect(hasTooManyParameters(query)).toBe(true);
  expect(Object.keys(query)).toHaveLength(MAX_PARAMETERS);
});

test('as many parameters as allowed are all there', () => {
  const query = parseQuery(Array(MAX_PARAMETERS).fill('a=1').join('&'));
  expect(hasTooManyParameters(query)).toBe(false);
  expect(query.a).toHaveLength(MAX_PARAMETERS);
});

test.each(['lookupKey=%00', 'a=1&lookupKey=%ED%A0%80&metadata=%00', 'lookupKey=%zz'])(
  '%s: the parameter is named',
  (text) => {
    expect(unreadableIn(parseQuery(text))).toEqual({
      field: 'lookupKey',
      problem: 'has an unreadable value: it must be UTF-8 text without a null character',
    });
  },
);

test('a name that is unreadable is not repeated, and a readable query has no problem', () => {
  expect(unreadableIn(parseQuery('%00=1'))?.field).toBe('query');
  expect(unreadableIn(parseQuery('(unreadable)=x&a=%C3%A9'))).toBeUndefined();
});
