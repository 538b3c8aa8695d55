import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../lib/errors.ts';
import { csrfTokenOf, VISIT_LIFE_MINUTES } from './portal-session.ts';

export const COOKIE_NAME = '__Host-florin_portal';
export const PLAIN_COOKIE_NAME = 'florin_portal';

/** Browsers take a `__Host-` cookie over https alone, so where we are reached by http it has a plain name. */
function nameFor(publicUrl: string): string {
  return isSecure(publicUrl) ? COOKIE_NAME : PLAIN_COOKIE_NAME;
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}

/** The Set-Cookie header that begins a visit. */
export function setCookie(publicUrl: string, value: string): string {
  return written(publicUrl, value, VISIT_LIFE_MINUTES * 60);
}

/** The Set-Cookie header that ends it. */
export function clearCookie(publicUrl: string): string {
  return written(publicUrl, '', 0);
}

function written(publicUrl: string, value: string, maxAgeSeconds: number): string {
  const secure = isSecure(publicUrl) ? '; Secure' : '';
  return `${nameFor(publicUrl)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly${secure}; SameSite=Lax`;
}

export function readCookie(headers: IncomingHttpHeaders, publicUrl: string): string | undefined {
  const start = `${nameFor(publicUrl)}=`;
  const pair = headers.cookie
    ?.split(';')
    .map((text) => text.trim())
    .find((text) => text.startsWith(start));
  return pair?.slice(start.length) || undefined;
}

/** Where a browser says which page asks, it must be one of ours. */
export function requireOwnOrigin({ origin }: IncomingHttpHeaders, publicUrl: string): void {
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  throw new AppError('FORBIDDEN', { message: 'This request comes from another site.' });
}

export const CSRF_HEADER = 'X-CSRF-Token';

export function requireCsrfToken(headers: IncomingHttpHeaders, cookie: string): void {
  if (isCsrfToken(String(headers[CSRF_HEADER.toLowerCase()] ?? ''), cookie)) return;
  throw new AppError('FORBIDDEN', { message: `${CSRF_HEADER} must be the token that the login answered.` });
}

/** Whether what a change brought along is what we told the visitor with this cookie. */
export function isCsrfToken(text: string, cookie: string): boolean {
  const given = Buffer.from(text);
  const wanted = Buffer.from(csrfTokenOf(cookie));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
