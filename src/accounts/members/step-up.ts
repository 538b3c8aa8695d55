import { recordAudit } from '../../platform/audit/record.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { type Attempt, countAttempt, forgiveAttempt, inTurn } from './attempts.ts';
import { checkAssertion, notePasskeyUsed, passkeyRefused } from './check-assertion.ts';
import type { Assertion } from './credential.ts';
import { actorOf, type Member, type Moment } from './member.ts';
import { refusePasswordOfOwner } from './passkey-policy.ts';
import { passwordMatches } from './password.ts';
import { findMember } from './queries.ts';
import { hashSecret, renewCookie } from './session.ts';
import { updateConfirmed } from './session-queries.ts';

export interface StepUp {
  merchantId: string;
  memberId: string;
  sessionId: string;
  cookie: string;
  publicUrl: string;
}

/** Confirms with the password that it is still the member at the keyboard. Returns the new cookie. */
export async function stepUpByPassword(
  db: Database,
  input: StepUp,
  password: string,
  moment: Moment,
): Promise<string> {
  const member = await findSelf(db, input);
  const attempt: Attempt = { from: 'session', sessionId: input.sessionId };
  const matches = await inTurn(attempt, async () => {
    await countAttempt(db, attempt, moment.now);
    return passwordMatches(member, password);
  });
  if (!matches) throw new AppError('SIGN_IN_FAILED', { message: 'Wrong password.' });
  await refusePasswordOfOwner(db, member);
  return db.transaction(async (tx) => {
    await forgiveAttempt(tx, attempt, moment.now);
    return confirm(tx, input, 'password', moment);
  });
}

/** The same by a passkey, which must be one of the member's own. */
export async function stepUpByPasskey(
  db: Database,
  input: StepUp,
  assertion: Assertion,
  moment: Moment,
): Promise<string> {
  const { merchantId, sessionId, publicUrl } = input;
  const asked = { purpose: 'step_up', merchantId, sessionId } as const;
  const checked = await checkAssertion(db, publicUrl, assertion, asked, moment.now);
  if (checked.passkey.memberId !== input.memberId) throw passkeyRefused();
  return db.transaction(async (tx) => {
    await notePasskeyUsed(tx, checked, moment.now);
    return confirm(tx, input, 'passkey', moment);
  });
}

async function findSelf(db: Database, { merchantId, memberId }: StepUp): Promise<Member> {
  const member = await findMember(db, merchantId, memberId);
  if (!member) throw new AppError('SIGN_IN_REQUIRED');
  return member;
}

async function confirm(
  tx: Tx,
  { merchantId, memberId, sessionId, cookie }: StepUp,
  method: 'password' | 'passkey',
  { now, serviceNow }: Moment,
): Promise<string> {
  const renewed = renewCookie(cookie);
  const hashes = { fromHash: hashSecret(cookie), toHash: hashSecret(renewed) };
  const isOpen = await updateConfirmed(tx, { merchantId, id: sessionId, ...hashes }, now);
  if (!isOpen) throw new AppError('SIGN_IN_REQUIRED');
  const entry = {
    merchantId,
    actor: actorOf(memberId),
    targetId: memberId,
    detail: { method },
    now: serviceNow,
  };
  await recordAudit(tx, { ...entry, action: 'member.confirmed' });
  return renewed;
}
