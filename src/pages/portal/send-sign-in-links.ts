import { queueSignInEmail } from '../../email/queue-email.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { addDays, addMinutes, realNow } from '../../platform/lib/clock.ts';
import { newId } from '../../platform/lib/ids.ts';
import type { SecretBox } from '../../platform/lib/secret-box.ts';
import { writeSession } from './create-session.ts';
import { EMAILED_LINK_LIFE_MINUTES, type PortalSession } from './portal-session.ts';
import {
  countEmailedLinks,
  deleteOldestSignIn,
  type EmailedLinks,
  lockCustomerToSignIn,
  type SignIn,
} from './sign-in-queries.ts';

/** More would only fill the customer's mailbox. For each network that asks: a stranger uses up only their own. */
const MAX_WAITING = 3;
const MAX_PER_DAY = 10;
/** Maximum of links for all networks together, except those from which the customer has signed in. */
const MAX_PER_DAY_FOR_ALL = 50;

export interface SignInParts {
  db: Database;
  secrets: SecretBox;
  publicUrl(): string;
}

/**
 * Answers every request for a link: a customer with this address gets an e-mail, and the request is forgotten. Returns how many
 * there were. Safe in any number of processes.
 */
export async function sendSignInLinks(parts: SignInParts, now: Date, signal?: AbortSignal): Promise<number> {
  for (let handled = 0; ; handled++) {
    if (signal?.aborted) return handled;
    const isHandled = await parts.db.transaction(async (tx) => {
      const signIn = await deleteOldestSignIn(tx);
      if (signIn && isRecent(signIn)) await sendLink(tx, parts, signIn, now);
      return signIn !== undefined;
    });
    if (!isHandled) return handled;
  }
}

/** True if a request is recent. After a long time without a worker, the customer no longer waits. */
function isRecent({ createdAt }: SignIn): boolean {
  return realNow() < addMinutes(createdAt, EMAILED_LINK_LIFE_MINUTES);
}

async function sendLink(tx: Tx, { secrets, publicUrl }: SignInParts, signIn: SignIn, now: Date) {
  const customer = tx.queuesEmails ? await lockCustomerToSignIn(tx, signIn) : undefined;
  if (!customer) return;
  const { merchantId, projectId, language, askedFromHash } = signIn;
  const owner = { merchantId, projectId, customerId: customer.id };
  const links = await countEmailedLinks(tx, owner, {
    askedFromHash,
    now,
    since: addDays(now, -1),
  });
  if (isTooMany(links)) return;
  const id = newId(now);
  const expiresAt = addMinutes(now, EMAILED_LINK_LIFE_MINUTES);
  const session: PortalSession = {
    ...owner,
    id,
    returnUrl: null,
    isByEmail: true,
    askedFromHash,
    createdAt: now,
    expiresAt,
  };
  const { url } = await writeSession(tx, session, { actor: `portal:${id}`, publicUrl: publicUrl() });
  const sealedLink = secrets.seal(url);
  await queueSignInEmail(tx, { ...owner, kind: 'portal_sign_in', facts: { language }, sealedLink });
}

function isTooMany({ waiting, made, madeForAll, isKnown }: EmailedLinks): boolean {
  return waiting >= MAX_WAITING || made >= MAX_PER_DAY || (madeForAll >= MAX_PER_DAY_FOR_ALL && !isKnown);
}
