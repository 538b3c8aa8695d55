import { hash } from 'node:crypto';
import { newToken } from '../../platform/lib/token.ts';

/** A link works for an hour, and so does the visit that it opens; nothing makes either longer. */
export const LINK_LIFE_MINUTES = 60;
export const VISIT_LIFE_MINUTES = 60;
/** One that was sent by e-mail is opened soon or not at all; the database knows it too. */
export const EMAILED_LINK_LIFE_MINUTES = 15;

export interface PortalSession {
  id: string;
  merchantId: string;
  projectId: string;
  customerId: string;
  returnUrl: string | null;
  /** The customer asked for it by e-mail. */
  isByEmail: boolean;
  /** Which network asked for it by e-mail, as a hash; null for other links. */
  askedFrom: string | null;
  createdAt: Date;
  expiresAt: Date;
}

/** One customer in their portal: all that any of its operations may touch is theirs. */
export interface Visitor {
  sessionId: string;
  merchantId: string;
  projectId: string;
  customerId: string;
  returnUrl: string | null;
  /** When the visit ends. */
  expiresAt: Date;
}

/** As the audit log names them. */
export function actorOf({ sessionId }: Visitor): string {
  return `portal:${sessionId}`;
}

/** 256 bits; the log knows its form and never shows one. */
export function mintSecret(): string {
  return newToken('portal');
}

/** As hex. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * What a page sends with every change. It is derived from the cookie, which no script can read, so only our own pages
 * know it.
 */
export function csrfTokenOf(cookie: string): string {
  return hash('sha256', `csrf ${cookie}`, 'base64url');
}
