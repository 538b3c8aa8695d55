import type { PayoutFacts } from '../../email/email.ts';
import { queuePayoutEmails } from '../../email/queue-email.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { findLastSequence } from '../../platform/events/queries.ts';

export const PAYOUT_EVENT = 'payout_address.changed';
export const PAYOUT_STATUSES = ['requested', 'changed', 'canceled'] as const;

/**
 * Tells of a payout address that changed, or will or will not change: an e-mail to every owner, and an event. The caller
 * holds the lock of the merchant, or of the project whose address it is.
 */
export async function announcePayout(
  tx: Tx,
  target: { merchantId: string; projectId: string | null },
  facts: PayoutFacts,
): Promise<void> {
  const { merchantId, projectId } = target;
  await queuePayoutEmails(tx, merchantId, facts);
  const objectId = projectId ?? merchantId;
  const { from, to, projectName, actor, at, takesEffectAt = null } = facts;
  const status = statusOf(facts);
  const sequence = (await findLastSequence(tx, merchantId, objectId)) + 1;
  const object = { objectType: 'payout_address', objectId, orderingKey: objectId, sequence };
  const data = { status, projectId, projectName, from, to, takesEffectAt, actor };
  await appendEvents(
    tx,
    [{ merchantId, event: PAYOUT_EVENT, ...object, status, previousStatus: null, data }],
    at,
  );
}

function statusOf({ takesEffectAt, isCanceled, isTakenOver }: PayoutFacts): (typeof PAYOUT_STATUSES)[number] {
  if (!takesEffectAt) return 'changed';
  return isCanceled || isTakenOver ? 'canceled' : 'requested';
}
