import { scopesOf } from '../../platform/access/role.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { readBrand } from '../merchants/read-brand.ts';
import { findSession } from './create-session-authenticator.ts';
import type { MemberParts } from './member-parts.ts';
import { relyingParty } from './passkey.ts';
import { findMember } from './queries.ts';
import { csrfTokenOf, stepUpUntil } from './session.ts';
import { presentMember } from './views.ts';

/** Answers the first call of every dashboard page: the session of this cookie, and its member. */
export async function readSession(parts: MemberParts, cookie: string) {
  const { db, wallClock, environment, network, publicUrl } = parts;
  const now = wallClock.now();
  const session = await findSession(db, cookie, now);
  const { merchantId, memberId, expiresAt, verificationStatus, timeZone } = session;
  const [member, brand] = await Promise.all([
    findMember(db, merchantId, memberId),
    readBrand(db, merchantId),
  ]);
  if (!member) throw new AppError('SIGN_IN_REQUIRED');
  const until = stepUpUntil(session);
  return {
    member: presentMember(member),
    merchant: { id: merchantId, ...brand, verificationStatus, timeZone },
    environment,
    network,
    scopes: scopesOf(member.role),
    csrfToken: csrfTokenOf(cookie),
    stepUpUntil: until > now ? until : null,
    expiresAt,
    passkeysAvailable: relyingParty(publicUrl()) !== undefined,
    sendsEmails: db.queuesEmails,
  };
}
