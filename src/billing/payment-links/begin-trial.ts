import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { cancelSession } from '../checkout-sessions/cancel-session.ts';
import { withDestination } from '../checkout-sessions/destination.ts';
import { lockWholeSession } from '../checkout-sessions/lock-session.ts';
import { SESSION_LIFE_MS, type Session } from '../checkout-sessions/session.ts';
import { awaitsMailbox, reserveProvenTrial } from '../checkout-sessions/session-trial.ts';
import { checkOut } from './create-link-session.ts';
import type { StartCheckout } from './start-checkout.ts';
import { isTrialProof } from './trial-link.ts';

/**
 * Begins the trial of a mailbox that has proved itself, once, and answers where its checkout is. A mailbox that has had a
 * trial of the product gets a checkout at the full price in its place.
 */
export async function beginTrial(parts: StartCheckout, session: Session, proof: string): Promise<string> {
  const { db, clock, ensureWatched } = parts;
  requireTrialProof(parts, session, proof);
  const now = clock.now();
  const watchUntil = new Date(now.getTime() + SESSION_LIFE_MS);
  const begin = (destination: string | undefined) =>
    db.transaction((tx) => beginIn(tx, parts, session, destination, now));
  return withDestination(db, ensureWatched, session, watchUntil, begin, 'payer');
}

export function requireTrialProof(
  { secrets }: Pick<StartCheckout, 'secrets'>,
  session: Session,
  proof: string,
) {
  if (!isTrialProof(secrets, session, proof)) throw new AppError('NOT_FOUND');
}

async function beginIn(
  tx: Tx,
  { completeFree, publicUrl }: StartCheckout,
  { merchantId, paymentIntentId }: Session,
  destination: string | undefined,
  now: Date,
): Promise<string> {
  const { session } = await lockWholeSession(tx, merchantId, paymentIntentId);
  const { id, checkoutUrl, paymentLinkId, clientReferenceId, customerEmail, customerName } = session;
  if (!awaitsMailbox(session) || now >= session.expiresAt) return checkoutUrl;
  if (await reserveProvenTrial(tx, session)) {
    await completeFree(tx, session, now);
    return checkoutUrl;
  }
  await cancelSession(tx, { merchantId, id }, now);
  const paid = await checkOut(tx, {
    ref: { merchantId, id: paymentLinkId! },
    isTrialOver: true,
    ...{ clientReferenceId, customerEmail, customerName },
    ...{ destination, publicUrl: publicUrl(), now },
  });
  return paid.checkoutUrl;
}
