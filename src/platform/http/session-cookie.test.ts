import { expect, test } from 'vitest';
import { isOwnOrigin, isSame, requireOwnOrigin } from './session-cookie.ts';

const PUBLIC = 'https://pay.example.com';

test.each([
  ['no page says anything', { host: 'pay.example.com' }, true],
  ['the public address', { origin: PUBLIC, host: 'inside:4020' }, true],
  ['the name it was asked under', { origin: 'http://localhost:4020', host: 'localhost:4020' }, true],
  ['another port', { origin: 'http://localhost:9999', host: 'localhost:4020' }, false],
  ['another site', { origin: 'https://evil.example', host: 'pay.example.com' }, false],
  ['a site whose name begins alike', { origin: 'https://pay.example.com.evil.example', host: 'x' }, false],
  ['a hidden origin', { origin: 'null', host: 'pay.example.com' }, false],
  ['a hidden origin, and no host', { origin: 'null' }, false],
])('%s', (_name, headers, isOwn) => {
  expect(isOwnOrigin(headers, PUBLIC)).toBe(isOwn);
  if (!isOwn) expect(() => requireOwnOrigin(headers, PUBLIC)).toThrow(/another site/);
});

test('tokens are the same only to the last character', () => {
  expect([isSame('abc', 'abc'), isSame('abd', 'abc'), isSame('ab', 'abc'), isSame('', 'abc')]).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
