import type { IncomingHttpHeaders } from 'node:http';
import { isSame, requireToken, sessionCookie } from '../../platform/http/session-cookie.ts';
import { csrfTokenOf, VISIT_LIFE_MINUTES } from './portal-session.ts';

export const PLAIN_COOKIE_NAME = 'florin_portal';
export const COOKIE_NAME = `__Host-${PLAIN_COOKIE_NAME}`;

const cookie = sessionCookie(PLAIN_COOKIE_NAME, VISIT_LIFE_MINUTES * 60);

export const setCookie = cookie.set;
export const clearCookie = cookie.clear;
export const readCookie = cookie.read;

export function requireCsrfToken(headers: IncomingHttpHeaders, value: string): void {
  requireToken(headers, csrfTokenOf(value), 'the login');
}

/** True if the token sent with a change is the one issued for this cookie. */
export function isCsrfToken(text: string, value: string): boolean {
  return isSame(text, csrfTokenOf(value));
}
