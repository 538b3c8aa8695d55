import type { Database } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type Attempt, countAttempt, forgiveAttempt, inTurn } from './attempts.ts';
import { createSession } from './create-session.ts';
import { hashPasswordFor } from './hash-password-for.ts';
import { isKnownDevice } from './known-device.ts';
import { type Entry, type Member, type Moment, members, normalEmail, type Visitor } from './member.ts';
import { refusePasswordOfOwner } from './passkey-policy.ts';
import { isOutdated, whosePassword } from './password.ts';
import { listMembersByEmail, lockMember } from './queries.ts';
import { hashSecret } from './session.ts';

export interface SignIn {
  email: string;
  password: string;
  /** The merchant to sign in to, for a member with the same password at several. */
  merchantId?: string | undefined;
}

/**
 * Signs in by e-mail address and password. An unknown address, a wrong password and a disabled member get the same
 * answer after the same work. Every merchant has its own member for an address: the password says which of them it is.
 */
export async function signIn(db: Database, proof: SignIn, visitor: Visitor, moment: Moment): Promise<Entry> {
  const attempt = await attemptOf(db, normalEmail(proof.email), visitor, moment.now);
  return inTurn(attempt, () => tryPassword(db, { proof, attempt, visitor, moment }));
}

interface Try {
  proof: SignIn;
  attempt: Attempt & { email: string };
  visitor: Visitor;
  moment: Moment;
}

async function tryPassword(db: Database, { proof, attempt, visitor, moment }: Try): Promise<Entry> {
  await countAttempt(db, attempt, moment.now);
  const active = (await listMembersByEmail(db, attempt.email)).filter(
    ({ disabledAt }) => disabledAt === null,
  );
  const theirs = await whosePassword(active, proof.password);
  const member = theirs.find(
    ({ merchantId }) => merchantId === (proof.merchantId?.toLowerCase() ?? merchantId),
  );
  if (!member) throw new AppError('SIGN_IN_FAILED');
  await refusePasswordOfOwner(db, member);
  const passwordHash = await upToDate(db, member, proof.password);
  return db.transaction(async (tx) => {
    await forgiveAttempt(tx, attempt, moment.now);
    const locked = await lockMember(tx, member.merchantId, member.id);
    // The password may have been changed while this one was checked.
    if (locked?.passwordHash !== member.passwordHash) throw new AppError('SIGN_IN_FAILED');
    if (passwordHash !== member.passwordHash) await members.update(tx, member, { passwordHash });
    return createSession(tx, member, 'password', visitor, moment);
  });
}

async function attemptOf(
  db: Database,
  email: string,
  { device, address }: Visitor,
  now: Date,
): Promise<Attempt & { email: string }> {
  return (await isKnownDevice(db, device, email, now))
    ? { from: 'known-device', email, deviceHash: hashSecret(device!) }
    : { from: 'stranger', email, address };
}

/** A password is only known while it is being used: then its hash is upgraded to the current cost. */
async function upToDate(db: Database, member: Member, password: string): Promise<string | null> {
  const { passwordHash } = member;
  return passwordHash && isOutdated(passwordHash) ? hashPasswordFor(db, member, password) : passwordHash;
}
