import { recordAudit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import { addDays } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { rememberDevice } from './known-device.ts';
import { actorOf, type Entry, type Member, type Moment, type Visitor } from './member.ts';
import { updateSignedIn } from './queries.ts';
import { dashboardSessions, hashSecret, LIFE_DAYS, mintCookie, type SignInMethod } from './session.ts';
import { deleteSessionByToken } from './session-queries.ts';

/**
 * Signs a member in and returns the cookies. The session's cookie is always new: one that the browser already had,
 * wherever it came from, stops working.
 */
export async function createSession(
  tx: Tx,
  { merchantId, id: memberId }: Pick<Member, 'merchantId' | 'id'>,
  method: SignInMethod,
  visitor: Visitor,
  { now, serviceNow }: Moment,
): Promise<Entry> {
  if (!(await updateSignedIn(tx, { merchantId, id: memberId }, now))) throw new AppError('SIGN_IN_FAILED');
  if (visitor.cookie) await deleteSessionByToken(tx, hashSecret(visitor.cookie));
  const cookie = mintCookie();
  await dashboardSessions.insert(tx, {
    merchantId,
    id: newId(now),
    memberId,
    tokenHash: hashSecret(cookie),
    method,
    address: visitor.address,
    userAgent: visitor.userAgent,
    createdAt: now,
    lastSeenAt: now,
    confirmedAt: now,
    expiresAt: addDays(now, LIFE_DAYS),
  });
  const detail = { method, address: visitor.address };
  const entry = { merchantId, actor: actorOf(memberId), targetId: memberId, detail, now: serviceNow };
  await recordAudit(tx, { ...entry, action: 'member.signed_in' });
  return { cookie, device: await rememberDevice(tx, { merchantId, id: memberId }, visitor.device, now) };
}
