import { ROLES } from '../../platform/access/role.ts';
import { nullable, oneOf, text, timestamp, uuid } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

/** People who sign in to the dashboard of one merchant. */
export const members = table(
  'members',
  {
    merchantId: uuid,
    id: uuid,
    /** In lower case, and no other member's of this merchant. Another merchant may have a member with the same. */
    email: text,
    name: text,
    role: oneOf(ROLES),
    passwordHash: nullable(text),
    createdAt: timestamp,
    updatedAt: timestamp,
    lastSignedInAt: nullable(timestamp),
    disabledAt: nullable(timestamp),
    removedAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);
export type Member = RowOf<typeof members>;

/** The name of a member in the audit log. */
export function actorOf(memberId: string): string {
  return `member:${memberId}`;
}

export function normalEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Sessions, links and waiting times use real time: moving the sandbox's clock by a month signs nobody out. The audit
 * log uses the service's time, like everything it records.
 */
export interface Moment {
  now: Date;
  serviceNow: Date;
}

/** Facts that a request reveals about its browser. */
export interface Visitor {
  address: string;
  userAgent: string | null;
  /** The session cookie that the browser sent, of this or an earlier session. */
  cookie: string | undefined;
  /** The device cookie that the browser sent. */
  device: string | undefined;
}

/** Cookies that a browser gets when its member is signed in: the session's and the device's. */
export interface Entry {
  cookie: string;
  device: string;
}
