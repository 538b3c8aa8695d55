import { recordAudit } from '../../platform/audit/record.ts';
import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { hashPasswordFor } from './hash-password-for.ts';
import { actorOf, type Moment, members } from './member.ts';
import { checkPassword } from './password.ts';
import { findMember, lockMember } from './queries.ts';
import { hashSecret, renewCookie } from './session.ts';
import { deleteSessions, updateConfirmed } from './session-queries.ts';

export interface ChangePassword {
  merchantId: string;
  memberId: string;
  sessionId: string;
  cookie: string;
  newPassword: string;
}

/** Ends every other session of the member, and gives this one a new cookie, which it answers. */
export async function changePassword(db: Database, input: ChangePassword, moment: Moment): Promise<string> {
  const { merchantId, memberId, sessionId, cookie } = input;
  const known = await findMember(db, merchantId, memberId);
  if (!known) throw new AppError('SIGN_IN_REQUIRED');
  await checkPassword('newPassword', input.newPassword, known.email);
  const passwordHash = await hashPasswordFor(db, known, input.newPassword);
  return db.transaction(async (tx) => {
    const member = await lockMember(tx, merchantId, memberId);
    if (!member) throw new AppError('SIGN_IN_REQUIRED');
    await members.update(tx, member, { passwordHash, updatedAt: moment.now });
    await deleteSessions(tx, merchantId, memberId, { except: sessionId });
    const renewed = renewCookie(cookie);
    const hashes = { fromHash: hashSecret(cookie), toHash: hashSecret(renewed) };
    const isOpen = await updateConfirmed(tx, { merchantId, id: sessionId, ...hashes }, moment.now);
    if (!isOpen) throw new AppError('SIGN_IN_REQUIRED');
    const entry = { merchantId, actor: actorOf(memberId), targetId: memberId, now: moment.serviceNow };
    await recordAudit(tx, { ...entry, action: 'member.password_changed' });
    return renewed;
  });
}
