import { hash } from 'node:crypto';
import { boolean, hexHash, nullable, text, timestamp, uuid, withDefault } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { newToken } from '../../platform/lib/token.ts';

/** A link works for an hour, and so does the visit that it opens; nothing makes either longer. */
export const LINK_LIFE_MINUTES = 60;
export const VISIT_LIFE_MINUTES = 60;
/** One that was sent by e-mail is opened soon or not at all; the database knows it too. */
export const EMAILED_LINK_LIFE_MINUTES = 15;

export const portalSessions = table(
  'portal_sessions',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    customerId: uuid,
    tokenHash: hexHash,
    returnUrl: nullable(text),
    /** The customer asked for it by e-mail. */
    isByEmail: withDefault(boolean),
    /** The address it was mailed to. */
    emailedToHash: nullable(hexHash),
    /** The network that requested it by e-mail; null for other links. */
    askedFromHash: nullable(hexHash),
    createdAt: timestamp,
    expiresAt: timestamp,
    openedAt: nullable(timestamp),
    visitEndsAt: nullable(timestamp),
    cookieHash: nullable(hexHash),
  },
  ['merchantId', 'id'],
);

/** A link as it is made. */
export type PortalSession = Omit<
  RowOf<typeof portalSessions>,
  'tokenHash' | 'emailedToHash' | 'openedAt' | 'visitEndsAt' | 'cookieHash'
>;

/** Somebody in their portal: all that any of its operations may touch is of one of their customers. */
export interface Visitor {
  sessionId: string;
  merchantId: string;
  projectId: string;
  /** Whom the link was for. */
  customerId: string;
  /** Them, and everybody else of the project with the address whose mailbox the visit has proven. */
  customerIds: readonly string[];
  /** A link that was mailed to the address that they still have opened the visit, so they can read that mailbox. */
  isByEmail: boolean;
  returnUrl: string | null;
  /** End of the visit. */
  expiresAt: Date;
}

/** The one place that decides whether something is the visitor's. */
export function isOwn({ customerIds }: Visitor, customerId: string | null | undefined): boolean {
  return typeof customerId === 'string' && customerIds.includes(customerId);
}

/** Name of a visitor in the audit log. */
export function actorOf({ sessionId }: Visitor): string {
  return `portal:${sessionId}`;
}

/** 256 bits; the log knows its form and never shows one. */
export function mintSecret(): string {
  return newToken('portal');
}

/** Hashes a secret, as hex. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * Derives the token that a page sends with every change from the cookie, which no script can read, so only our own
 * pages know it.
 */
export function csrfTokenOf(cookie: string): string {
  return hash('sha256', `csrf ${cookie}`, 'base64url');
}
