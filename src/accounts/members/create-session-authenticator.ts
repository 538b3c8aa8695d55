import type { Principal } from '../../platform/access/principal.ts';
import { scopesOf } from '../../platform/access/role.ts';
import type { SessionAuthenticator } from '../../platform/access/session-authenticator.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { requireOwnOrigin, requireToken } from '../../platform/http/session-cookie.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { actorOf } from './member.ts';
import type { MemberParts } from './member-parts.ts';
import {
  csrfTokenOf,
  dashboardCookie,
  hashSecret,
  IDLE_HOURS,
  type OpenSession,
  stepUpUntil,
} from './session.ts';
import { findOpenSession, updateSeen } from './session-queries.ts';

const SEEN_EVERY_MS = 60_000;
const VERIFIED = 2;

/**
 * Members call with a cookie. Each call looks the session up again, so ending it or changing a role takes effect
 * immediately.
 */
export function createSessionAuthenticator(
  parts: Pick<MemberParts, 'db' | 'wallClock' | 'environment' | 'publicUrl'>,
): SessionAuthenticator {
  const { db, wallClock, environment, publicUrl } = parts;
  return {
    admit({ headers }, isChange) {
      const cookie = dashboardCookie.read(headers, publicUrl());
      return cookie === undefined ? undefined : enter(cookie);

      async function enter(given: string): Promise<Principal> {
        const now = wallClock.now();
        const session = await findSession(db, given, now);
        if (isChange) {
          requireOwnOrigin(headers, publicUrl());
          requireToken(headers, csrfTokenOf(given), 'GET /api/dashboard/session');
        }
        if (now.getTime() - session.lastSeenAt.getTime() >= SEEN_EVERY_MS)
          await updateSeen(db, session.merchantId, session.id, now);
        const isVerified = environment !== 'mainnet' || session.verificationStatus === VERIFIED;
        return principalOf(session, isVerified, now);
      }
    },
  };
}

/** The open session behind a cookie. An unknown, ended, expired or idle one gets the same answer. */
export async function findSession(db: Queryable, cookie: string, now: Date): Promise<OpenSession> {
  const session = await findOpenSession(db, hashSecret(cookie), { now, idleSince: idleSince(now) });
  if (!session) throw new AppError('SIGN_IN_REQUIRED');
  return session;
}

export function idleSince(now: Date): Date {
  return new Date(now.getTime() - IDLE_HOURS * HOUR_MS);
}

function principalOf(session: OpenSession, isVerified: boolean, now: Date): Principal {
  const until = stepUpUntil(session);
  return {
    merchantId: session.merchantId,
    callerId: session.id,
    actor: actorOf(session.memberId),
    scopes: scopesOf(session.role),
    allowedAddresses: null,
    // A key that a member creates may outlive their session.
    expiresAt: null,
    isVerified,
    payoutAddress: session.payoutAddress,
    timeZone: session.timeZone,
    member: { id: session.memberId, role: session.role, stepUpUntil: until, isSteppedUp: until > now },
  };
}
