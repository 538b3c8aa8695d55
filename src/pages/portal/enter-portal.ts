import { proveAddresses } from '../../accounts/customers/prove-addresses.ts';
import { recordAudit } from '../../platform/audit/record.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { addMinutes } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import {
  actorOf,
  hashSecret,
  mintSecret,
  portalSessions,
  VISIT_LIFE_MINUTES,
  type Visitor,
} from './portal-session.ts';
import { findLink, findVisitorByCookie, listProven, updateOpened } from './queries.ts';

/** Exchanges a link for a visit, once: a second use of the same link is refused. */
export async function enterPortal(
  db: Database,
  token: string,
  now: Date,
): Promise<{ visitor: Visitor; cookie: string }> {
  const cookie = mintSecret();
  const tokenHash = hashSecret(token);
  const endsAt = addMinutes(now, VISIT_LIFE_MINUTES);
  const visitor = await db.transaction(async (tx) => {
    const opened = await updateOpened(tx, tokenHash, { cookieHash: hashSecret(cookie), now, endsAt });
    // The mailbox's owner has the link, so what somebody typed before is proven now. Customers before the audit, as everywhere.
    if (opened?.isByEmail) await proveAddresses(tx, opened.merchantId, await listProven(tx, opened), now);
    if (opened) await noteVisit(tx, opened, 'portal_session.opened', now);
    return opened;
  });
  if (visitor) return { visitor, cookie };
  if (await findLink(db, tokenHash)) throw new AppError('PORTAL_LINK_EXPIRED');
  throw new AppError('PORTAL_SESSION_REQUIRED', {
    message: 'This portal link does not work; request a new one.',
  });
}

/** The visitor behind a cookie. A missing, unknown, ended or expired one gets the same answer. */
export async function findVisitor(db: Queryable, cookie: string | undefined, now: Date): Promise<Visitor> {
  const visitor = cookie && (await findVisitorByCookie(db, hashSecret(cookie), now));
  if (!visitor) throw new AppError('PORTAL_SESSION_REQUIRED');
  return visitor;
}

/** Ends a visit: its cookie stops working everywhere. */
export async function leavePortal(db: Database, visitor: Visitor, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const { merchantId, sessionId: id } = visitor;
    await portalSessions.update(tx, { merchantId, id }, { cookieHash: null });
    await noteVisit(tx, visitor, 'portal_session.closed', now);
  });
}

async function noteVisit(tx: Queryable, visitor: Visitor, action: string, now: Date): Promise<void> {
  const { merchantId, sessionId, customerId } = visitor;
  const detail = { customerId };
  await recordAudit(tx, { merchantId, actor: actorOf(visitor), action, targetId: sessionId, detail, now });
}
