import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type Json, JsonError, parseJson, stringifyJson } from './json.ts';

describe('parseJson', () => {
  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['0', 0],
    ['-5', -5],
    ['1.0', 1],
    ['1e2', 100],
    ['1.5', 1.5],
    ['9007199254740993.0', 9007199254740993n],
    ['9.007199254740993e15', 9007199254740993n],
    ['1e18', 1000000000000000000n],
  ])('%s keeps every digit', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test.each([
    '9007199254740993.5',
    '0.99999999999999999999',
    '1.00000000000000000001',
    '-2.00000000000000000001',
    '1e-400',
  ])('%s is not taken for the integer beside it', (text) => {
    expect(Number.isInteger(JSON.parse(text))).toBe(true);
    expect(() => parseJson(text)).toThrow('more digits than can be kept');
  });

  test.each([
    ['100e-2', 1],
    ['0.50e1', 5],
    ['-0.0', -0],
    ['0e-9', 0],
    ['12.3400e2', 1234],
    ['-90071992547409930e-1', -9007199254740993n],
  ])('%s is the integer it is', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  test('a megabyte of zeros after the point is read in one go, not again from each of them', () => {
    const zeros = '0'.repeat(1_000_000);
    expect(parseJson(`9007199254740993.${zeros}`)).toBe(9007199254740993n);
    expect(() => parseJson(`9007199254740993.${zeros}1`)).toThrow('more digits');
  });

  test('equals JSON.parse on anything JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('\\u0000') && text.isWellFormed() && !/\\ud[89a-f]/i.test(text));
        // Big doubles come back as exact bigints; comparing what they print as is comparing the value.
        const printed = stringifyJson(parseJson(text));
        expect(JSON.parse(printed)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('never throws anything but JsonError, and accepts no more than JSON.parse', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[]",:0123456789.eE+-truefalsn \\u\n'.split('')) }),
        (text) => {
          let value: Json;
          try {
            value = parseJson(text);
          } catch (error) {
            expect(error).toBeInstanceOf(JsonError);
            return;
          }
          expect(() => JSON.parse(text)).not.toThrow();
          // Compared as written: a minus before a zero says nothing, and is not kept.
          expect(JSON.stringify(JSON.parse(stringifyJson(value)))).toBe(JSON.stringify(JSON.parse(text)));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['{"a":1,"a":2}', 'twice'],
    ['{"a":{"b":1,"b":1}}', 'twice'],
    ['{"__proto__":1,"__proto__":2}', 'twice'],
    ['"\\u0000"', 'NUL'],
    ['"\\ud800"', 'surrogate'],
    ['"\u0007"', 'unexpected character'],
    ['{"a":1', 'ends too early'],
    ['{"a":1}}', 'unexpected character'],
    ['01', 'unexpected character'],
    ['1e999', 'out of range'],
    ['1'.repeat(60), 'digits'],
    ['1e39999', 'out of range'],
    ['', 'ends too early'],
    ["{'a':1}", 'unexpected character'],
    ['[1,]', 'unexpected character'],
    ['NaN', 'unexpected character'],
    ['"\\x41"', 'bad escape'],
    ['['.repeat(100), 'deeper'],
  ])('refuses %j', (text, reason) => {
    expect(() => parseJson(text)).toThrow(reason);
  });

  test('a __proto__ key stays an ordinary property', () => {
    const value = parseJson('{"__proto__":{"x":1}}') as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

test('stringifyJson writes bigint as exact digits', () => {
  expect(stringifyJson({ a: 9223372036854775807n, b: 'x' })).toBe('{"a":9223372036854775807,"b":"x"}');
});

test('canonicalJson does not depend on the order of keys, and tells values apart', () => {
  expect(canonicalJson({ b: [1, { d: null, c: 2n }], a: 'x' })).toBe('{"a":"x","b":[1,{"c":2,"d":null}]}');
  expect(canonicalJson({ a: '1' })).not.toBe(canonicalJson({ a: 1 }));
});
