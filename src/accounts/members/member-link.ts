import type { Role } from '../../platform/access/role.ts';
import { newToken } from '../../platform/lib/token.ts';

export type LinkKind = 'setup' | 'invitation' | 'reset';

/** Lets one person in once: the first owner, an invited member, or one who lost access. */
export interface MemberLink {
  merchantId: string;
  id: string;
  kind: LinkKind;
  /** The invited address. */
  email: string | null;
  /** The role they get; null for existing members. */
  role: Role | null;
  /** The member whose access is restored. */
  memberId: string | null;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
}

export const LINK_LIFE_HOURS: Record<LinkKind, number> = { setup: 24, invitation: 72, reset: 24 };

const PAGES: Record<LinkKind, string> = { setup: 'setup', invitation: 'join', reset: 'reset' };

/** 256 bits; the log recognizes its form and redacts it. */
export function mintToken(): string {
  return newToken('join');
}

export function linkUrl(publicUrl: string, kind: LinkKind, token: string): string {
  return `${publicUrl}/dashboard/${PAGES[kind]}/${token}`;
}
