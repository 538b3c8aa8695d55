import { ROLES } from '../../platform/access/role.ts';
import { hexHash, nullable, oneOf, text, timestamp, uuid } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { newToken } from '../../platform/lib/token.ts';

export const LINK_KINDS = ['setup', 'invitation', 'reset'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/** Links that let one person in once: the first owner, an invited member, or one who lost access. */
export const memberLinks = table(
  'member_links',
  {
    merchantId: uuid,
    id: uuid,
    kind: oneOf(LINK_KINDS),
    tokenHash: hexHash,
    /** The invited address. */
    email: nullable(text),
    /** The role they get; null for existing members. */
    role: nullable(oneOf(ROLES)),
    /** The member whose access is restored. */
    memberId: nullable(uuid),
    createdBy: text,
    createdAt: timestamp,
    expiresAt: timestamp,
    usedAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);
export type MemberLink = RowOf<typeof memberLinks>;

export const LINK_LIFE_HOURS: Record<LinkKind, number> = { setup: 24, invitation: 72, reset: 24 };

const PAGES: Record<LinkKind, string> = { setup: 'setup', invitation: 'join', reset: 'reset' };

/** 256 bits; the log recognizes its form and redacts it. */
export function mintToken(): string {
  return newToken('join');
}

export function linkUrl(publicUrl: string, kind: LinkKind, token: string): string {
  return `${publicUrl}/dashboard/${PAGES[kind]}/${token}`;
}
