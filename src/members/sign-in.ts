import type { Database } from '../db/database.ts';
import { AppError } from '../lib/errors.ts';
import { countAttempt, forgiveAttempt } from './attempts.ts';
import { beginSession } from './begin-session.ts';
import { type Member, type Moment, normalEmail, type Visitor } from './member.ts';
import { hashPassword, isOutdated, passwordMatches } from './password.ts';
import { findMemberByEmail, lockMember, updateMember } from './queries.ts';

/**
 * Signs in by e-mail address and password, and answers the cookie. An unknown address, a wrong password and a disabled
 * member get the same answer after the same work.
 */
export async function signIn(
  db: Database,
  proof: { email: string; password: string },
  visitor: Visitor,
  moment: Moment,
): Promise<string> {
  const guess = { email: normalEmail(proof.email), address: visitor.address };
  await countAttempt(db, guess, moment.now);
  const found = await findMemberByEmail(db, guess.email);
  const member = found?.disabledAt === null ? found : undefined;
  const isRight = await passwordMatches(member?.passwordHash, proof.password);
  if (!member || !isRight) throw new AppError('SIGN_IN_FAILED');
  const passwordHash = await upToDate(member, proof.password);
  return db.transaction(async (tx) => {
    await forgiveAttempt(tx, guess, moment.now);
    const locked = await lockMember(tx, member.merchantId, member.id);
    // The password may have been changed while this one was looked at.
    if (locked?.passwordHash !== member.passwordHash) throw new AppError('SIGN_IN_FAILED');
    if (passwordHash !== member.passwordHash) {
      await updateMember(tx, member, { ...locked!, passwordHash }, locked!.updatedAt);
    }
    return beginSession(tx, member, 'password', visitor, moment);
  });
}

/** The only moment we know a password is when it is used: then its hash is brought to today's cost. */
async function upToDate({ passwordHash }: Member, password: string): Promise<string | null> {
  return passwordHash && isOutdated(passwordHash) ? hashPassword(password) : passwordHash;
}
