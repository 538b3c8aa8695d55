import { expect, test } from 'vitest';
import { mergeMetadata, NO_METADATA, newMetadata, parseMetadataTerm } from './metadata.ts';

test('a change replaces, adds and removes keys, and leaves the others', () => {
  expect(mergeMetadata({ a: '1', b: '2', c: '3' }, { a: 'x', b: null, d: '', e: null })).toEqual({
    a: 'x',
    c: '3',
    d: '',
  });
});

test('no change leaves it as it is', () => {
  const before = { a: '1' };
  expect(mergeMetadata(before, undefined)).toBe(before);
  expect(mergeMetadata(before, {})).toEqual(before);
  expect(newMetadata(undefined)).toBe(NO_METADATA);
});

test('keys come in the order of the database: the shorter ones first, then byte by byte', () => {
  const given = { longer: '1', b: '2', ä: '3', a: '4', zz: '5' };
  expect(Object.keys(newMetadata(given))).toEqual(['a', 'b', 'zz', 'ä', 'longer']);
});

test('a 51st key is refused, unless another one goes', () => {
  const full = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`key-${i}`, '']));
  expect(() => mergeMetadata(full, { more: '1' })).toThrow('metadata must have at most 50 keys');
  expect(Object.keys(mergeMetadata(full, { more: '1', 'key-7': null }))).toHaveLength(50);
});

test('what merging sets is always a property of the object, never of every object', () => {
  const change = JSON.parse('{"constructor": "x", "toString": "y"}');
  const merged = mergeMetadata({}, change);
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  expect(merged).toEqual({ constructor: 'x', toString: 'y' });
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});

test.each([
  ['tier:gold', { key: 'tier', value: 'gold' }],
  ['url:https://a.example', { key: 'url', value: 'https://a.example' }],
  ['empty:', { key: 'empty', value: '' }],
  [':value', undefined],
  ['no colon', undefined],
  [`${'k'.repeat(41)}:v`, undefined],
])('%j is the term %j', (text, term) => {
  expect(parseMetadataTerm(text)).toEqual(term);
});
