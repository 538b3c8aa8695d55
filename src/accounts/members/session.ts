import { hash } from 'node:crypto';
import type { Role } from '../../platform/access/role.ts';
import { hexHash, nullable, oneOf, text, timestamp, uuid } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
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

export const SIGN_IN_METHODS = ['password', 'passkey', 'link'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

export const dashboardSessions = table(
  'dashboard_sessions',
  {
    merchantId: uuid,
    id: uuid,
    memberId: uuid,
    tokenHash: hexHash,
    method: oneOf(SIGN_IN_METHODS),
    address: text,
    userAgent: nullable(text),
    createdAt: timestamp,
    lastSeenAt: timestamp,
    confirmedAt: timestamp,
    expiresAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type DashboardSession = RowOf<typeof dashboardSessions>;

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
