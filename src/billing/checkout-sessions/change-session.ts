import assert from 'node:assert';
import { lockProjectsForUse } from '../../accounts/projects/queries.ts';
import { addVolume } from '../../accounts/projects/volume.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { releaseRedemption } from '../discounts/redeem.ts';
import { releaseTrial } from '../trials/reserve-trial.ts';
import { presentSession } from './present.ts';
import { deleteSessions, updateSession } from './queries.ts';
import { countedCents, type Session, TRANSITIONS } from './session.ts';

export { deleteSessions };

export type SessionEvent =
  | 'checkout.session.created'
  | 'checkout.session.processing'
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'checkout.session.canceled'
  | 'checkout.session.updated';

export interface SessionChange {
  before: Session;
  after: Session;
  event: SessionEvent;
  txSignature: string | null;
}

/** Stores a locked session's change and what it counts, and returns its event, for the caller to append. */
export async function changeSession(tx: Tx, change: SessionChange): Promise<NewEvent> {
  const { before, event, txSignature } = change;
  const after = { ...change.after, sequence: before.sequence + 1 };
  assert(
    before.status === after.status || TRANSITIONS[before.status].includes(after.status),
    `a session cannot go from ${before.status} to ${after.status}`,
  );
  await updateSession(tx, after);
  await countVolume(tx, before, after);
  await countDiscount(tx, before, after);
  await countTrial(tx, before, after);
  return sessionEvent(event, after, before.status, txSignature);
}

/** Gives the discount back if a session closes; one that expires may keep it for a while, which is decided where it does. */
async function countDiscount(tx: Tx, before: Session, after: Session): Promise<void> {
  if (before.status === after.status || after.discount === null || after.origin === 'renewal') return;
  const ref = { merchantId: after.merchantId, sessionId: after.id };
  if (after.status === 'canceled') await releaseRedemption(tx, ref);
}

/** The same for its trial, which a late payment reserves first. */
async function countTrial(tx: Tx, before: Session, after: Session): Promise<void> {
  if (before.status === after.status || after.trialDays === null) return;
  if (after.status === 'canceled' || after.status === 'expired') await releaseTrial(tx, after);
}

async function countVolume(tx: Tx, before: Session, after: Session): Promise<void> {
  if (before.volumeMonth === after.volumeMonth && countedCents(before) === countedCents(after)) return;
  const { merchantId, projectId } = after;
  const project = (await lockProjectsForUse(tx, [{ merchantId, id: projectId }]))[0]!;
  if (before.volumeMonth) await addVolume(tx, project, before.volumeMonth, -countedCents(before));
  if (after.volumeMonth) await addVolume(tx, project, after.volumeMonth, countedCents(after));
}

export function sessionEvent(
  event: SessionEvent,
  session: Session,
  previousStatus: string | null,
  txSignature: string | null,
): NewEvent {
  return {
    merchantId: session.merchantId,
    event,
    objectType: 'checkout_session',
    objectId: session.id,
    sequence: session.sequence,
    status: session.status,
    previousStatus,
    orderingKey: orderingKeyOf(session),
    data: {
      projectId: session.projectId,
      status: session.status,
      previousStatus,
      customerId: session.customerId,
      externalCustomerId: session.externalCustomerId,
      merchantReference: session.merchantReference,
      clientReferenceId: session.clientReferenceId,
      txSignature,
      checkoutSession: presentSession(session),
    },
  };
}

/** Events of one session, or of one subscription, are delivered in order. */
export function orderingKeyOf({ orderingKey }: Session): string {
  return orderingKey;
}
