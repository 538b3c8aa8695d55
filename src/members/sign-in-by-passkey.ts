import type { Database } from '../db/database.ts';
import { countAttempt, forgiveAttempt } from './attempts.ts';
import { beginSession } from './begin-session.ts';
import { checkAssertion, notePasskeyUsed } from './check-assertion.ts';
import type { Assertion } from './credential.ts';
import type { Moment, Visitor } from './member.ts';

/** Signs in whoever's passkey it is, without being told a name, and answers the cookie. */
export async function signInByPasskey(
  db: Database,
  publicUrl: string,
  assertion: Assertion,
  visitor: Visitor,
  moment: Moment,
): Promise<string> {
  const guess = { address: visitor.address };
  await countAttempt(db, guess, moment.now);
  const asked = { purpose: 'sign_in', merchantId: null, sessionId: null } as const;
  const checked = await checkAssertion(db, publicUrl, assertion, asked, moment.now);
  const { merchantId, memberId: id } = checked.passkey;
  return db.transaction(async (tx) => {
    await forgiveAttempt(tx, guess, moment.now);
    await notePasskeyUsed(tx, checked, moment.now);
    return beginSession(tx, { merchantId, id }, 'passkey', visitor, moment);
  });
}
