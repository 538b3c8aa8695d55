import { describe, expect, test } from 'vitest';
import { requireOwnOrigin } from '../../platform/http/session-cookie.ts';
import { clearCookie, readCookie, requireCsrfToken, setCookie } from './cookie.ts';
import { csrfTokenOf, hashSecret, mintSecret } from './portal-session.ts';

const HTTPS = 'https://pay.example.com';
const HTTP = 'http://127.0.0.1:4020';

describe('the cookie', () => {
  test('over https: __Host-, HttpOnly, Secure, SameSite=Lax, the whole site, an hour', () => {
    expect(setCookie(HTTPS, 'v')).toBe(
      '__Host-florin_portal=v; Path=/; Max-Age=3600; HttpOnly; Secure; SameSite=Lax',
    );
    expect(clearCookie(HTTPS)).toBe(
      '__Host-florin_portal=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax',
    );
  });

  test('over plain http: a name and flags that browsers take there', () => {
    expect(setCookie(HTTP, 'v')).toBe('florin_portal=v; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax');
  });

  test('is found among others, and by its own name only', () => {
    const cookie = 'a=1; florin_portal=plain;__Host-florin_portal=safe; b=2';
    expect(readCookie({ cookie }, HTTPS)).toBe('safe');
    expect(readCookie({ cookie }, HTTP)).toBe('plain');
    expect(readCookie({ cookie: 'florin_portal=plain' }, HTTPS)).toBeUndefined();
    expect(readCookie({ cookie: '__Host-florin_portal=' }, HTTPS)).toBeUndefined();
    expect(readCookie({}, HTTPS)).toBeUndefined();
  });
});

describe('where a change comes from', () => {
  test('our own origin passes, and a caller that names none; everybody else is refused', () => {
    expect(() => requireOwnOrigin({ origin: HTTPS }, `${HTTPS}/pay`)).not.toThrow();
    expect(() => requireOwnOrigin({}, HTTPS)).not.toThrow();
    for (const origin of ['null', '', 'http://pay.example.com', `${HTTPS}:8443`, `${HTTPS}.evil.example`]) {
      expect(() => requireOwnOrigin({ origin }, HTTPS), origin).toThrow('another site');
    }
  });

  test('the CSRF token is the one of this cookie', () => {
    const [cookie, other] = [mintSecret(), mintSecret()];
    expect(() => requireCsrfToken({ 'x-csrf-token': csrfTokenOf(cookie) }, cookie)).not.toThrow();
    for (const token of [undefined, '', 'x', cookie, hashSecret(cookie), csrfTokenOf(other)]) {
      const headers = token === undefined ? {} : { 'x-csrf-token': token };
      expect(() => requireCsrfToken(headers, cookie), token).toThrow('X-CSRF-Token');
    }
  });
});
