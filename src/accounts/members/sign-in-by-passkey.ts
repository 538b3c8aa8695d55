import type { Database } from '../../platform/db/database.ts';
import { checkAssertion, notePasskeyUsed } from './check-assertion.ts';
import { createSession } from './create-session.ts';
import type { Assertion } from './credential.ts';
import type { Entry, Moment, Visitor } from './member.ts';

/**
 * Signs in the passkey's member, without a user name. A signature cannot be guessed, so failures are not counted: no
 * one else's failures keep a passkey's member out.
 */
export async function signInByPasskey(
  db: Database,
  publicUrl: string,
  assertion: Assertion,
  visitor: Visitor,
  moment: Moment,
): Promise<Entry> {
  const asked = { purpose: 'sign_in', merchantId: null, sessionId: null } as const;
  const checked = await checkAssertion(db, publicUrl, assertion, asked, moment.now);
  const { merchantId, memberId: id } = checked.passkey;
  return db.transaction(async (tx) => {
    await notePasskeyUsed(tx, checked, moment.now);
    return createSession(tx, { merchantId, id }, 'passkey', visitor, moment);
  });
}
