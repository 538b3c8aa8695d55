import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../lib/errors.ts';

export const CSRF_HEADER = 'X-CSRF-Token';

export interface SessionCookie {
  /** The Set-Cookie header that starts a session. */
  set(publicUrl: string, value: string): string;
  /** The Set-Cookie header that ends it. */
  clear(publicUrl: string): string;
  read(headers: IncomingHttpHeaders, publicUrl: string): string | undefined;
}

/**
 * A cookie that no script can read and no other site sends with a change. Browsers accept a `__Host-` cookie over
 * https only, so over http it has a plain name.
 */
export function sessionCookie(plainName: string, lifeSeconds: number): SessionCookie {
  const nameFor = (publicUrl: string) => (isSecure(publicUrl) ? `__Host-${plainName}` : plainName);

  function written(publicUrl: string, value: string, maxAgeSeconds: number): string {
    const secure = isSecure(publicUrl) ? '; Secure' : '';
    return `${nameFor(publicUrl)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly${secure}; SameSite=Lax`;
  }

  return {
    set: (publicUrl, value) => written(publicUrl, value, lifeSeconds),
    clear: (publicUrl) => written(publicUrl, '', 0),
    read(headers, publicUrl) {
      const start = `${nameFor(publicUrl)}=`;
      const pair = headers.cookie
        ?.split(';')
        .map((text) => text.trim())
        .find((text) => text.startsWith(start));
      return pair?.slice(start.length) || undefined;
    },
  };
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:');
}

/** If a browser says which page makes the request, it must be one of ours. */
export function requireOwnOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  if (isOwnOrigin(headers, publicUrl)) return;
  const own = new URL(publicUrl).origin;
  throw new AppError('FORBIDDEN', { message: `This request was sent from another site than ${own}.` });
}

/** Called under another name than the public one, such as localhost, the page itself came from there too. */
export function isOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: string): boolean {
  if (origin === undefined || origin === new URL(publicUrl).origin) return true;
  return host !== undefined && URL.parse(origin)?.host === host;
}

/** `where` is the call that returned the token. */
export function requireToken(headers: IncomingHttpHeaders, token: string, where: string): void {
  if (isSame(String(headers[CSRF_HEADER.toLowerCase()] ?? ''), token)) return;
  throw new AppError('FORBIDDEN', { message: `${CSRF_HEADER} must be the token returned by ${where}.` });
}

/** Takes as long for a near miss as for any other. */
export function isSame(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}
