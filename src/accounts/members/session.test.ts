import { expect, test } from 'vitest';
import { redact } from '../../platform/lib/log.ts';
import { mintToken } from './member-link.ts';
import { relyingParty } from './passkey.ts';
import { csrfTokenOf, mintCookie, renewCookie } from './session.ts';

test('a renewed cookie is another one, with the same CSRF token; another session’s has another', () => {
  const cookie = mintCookie();
  const renewed = renewCookie(cookie);
  expect(renewed).not.toBe(cookie);
  expect(renewed).toHaveLength(cookie.length);
  expect(csrfTokenOf(renewed)).toBe(csrfTokenOf(cookie));
  expect(csrfTokenOf(mintCookie())).not.toBe(csrfTokenOf(cookie));
  expect(csrfTokenOf(cookie)).not.toContain(cookie.slice(8, 20));
});

test('no log line shows a cookie or the token of a link', () => {
  for (const secret of [mintCookie(), mintToken()]) {
    expect(redact(`GET /dashboard/join/${secret} "${secret}"`)).toBe(
      'GET /dashboard/join/[redacted] "[redacted]"',
    );
  }
});

test.each([
  ['https://pay.example.com', 'pay.example.com'],
  ['https://pay.example.com:8443/x', 'pay.example.com'],
  ['http://localhost:4020', 'localhost'],
  ['http://shop.localhost', 'shop.localhost'],
  ['http://pay.example.com', undefined],
  ['http://127.0.0.1:4020', undefined],
  ['https://192.0.2.1', undefined],
  ['https://[2001:db8::1]', undefined],
])('passkeys at %s belong to %s', (url, host) => {
  expect(relyingParty(url)?.id).toBe(host);
});
