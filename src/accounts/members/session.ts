import { hash } from 'node:crypto';
import type { Role } from '../../platform/access/role.ts';
import { sessionCookie } from '../../platform/http/session-cookie.ts';
import { addMinutes } from '../../platform/lib/clock.ts';
import { randomBase62 } from '../../platform/lib/ids.ts';
import { newToken } from '../../platform/lib/token.ts';

/** A session ends after this long without a call, and after this long in any case. */
export const IDLE_HOURS = 12;
export const LIFE_DAYS = 14;

/** How long a proof of who one is counts for what needs one. */
export const STEP_UP_MINUTES = 10;

export const PLAIN_COOKIE_NAME = 'florin_dashboard';
export const dashboardCookie = sessionCookie(PLAIN_COOKIE_NAME, LIFE_DAYS * 86_400);

export type SignInMethod = 'password' | 'passkey' | 'link';

export interface DashboardSession {
  merchantId: string;
  id: string;
  memberId: string;
  method: SignInMethod;
  address: string;
  userAgent: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  confirmedAt: Date;
  expiresAt: Date;
}

/** A session with all that decides what its member may do. */
export interface OpenSession extends DashboardSession {
  role: Role;
  verificationStatus: number;
  /** The merchant's. */
  timeZone: string;
  payoutAddress: string | null;
}

export function stepUpUntil({ confirmedAt }: { confirmedAt: Date }): Date {
  return addMinutes(confirmedAt, STEP_UP_MINUTES);
}

/** The first part stays for the whole session, the rest changes with every confirmation: 256 and 131 bits. */
const CHANGING = 22;
const lastingOf = (cookie: string) => cookie.slice(0, -CHANGING);

export function mintCookie(): string {
  return newToken('session');
}

/** A new cookie for the same session; the previous one stops working. */
export function renewCookie(cookie: string): string {
  return lastingOf(cookie) + randomBase62(CHANGING);
}

/** Returns hex. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * The token that a page sends with every change. It is derived from the lasting part of the cookie, which no script
 * can read, so only our own pages know it, and a confirmation in one tab does not break the others.
 */
export function csrfTokenOf(cookie: string): string {
  return hash('sha256', `csrf ${lastingOf(cookie)}`, 'base64url');
}
