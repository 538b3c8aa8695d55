import assert from 'node:assert';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { NewEvent } from '../../platform/events/event.ts';
import { presentRefund } from './present.ts';
import { updateRefund } from './queries.ts';
import { nextCheckAt, type Refund, TRANSITIONS } from './refund.ts';

export type RefundEvent =
  | 'refund.created'
  | 'refund.address_received'
  | 'refund.updated'
  | 'refund.processing'
  | 'refund.succeeded'
  | 'refund.canceled'
  | 'refund.expired';

export interface RefundChange {
  before: Refund;
  after: Refund;
  event: RefundEvent;
  mint: string;
  now: Date;
}

/** Stores a locked refund's change and announces it. */
export async function changeRefund(tx: Tx, change: RefundChange): Promise<Refund> {
  const { before, event, mint, now } = change;
  const sequence = before.sequence + 1;
  const after = { ...change.after, sequence, checkAt: nextCheckAt(change.after, now) };
  assert(
    before.status === after.status || TRANSITIONS[before.status].includes(after.status),
    `a refund cannot go from ${before.status} to ${after.status}`,
  );
  await updateRefund(tx, after);
  await appendEvents(tx, [refundEvent(event, after, before.status, mint)], now);
  return after;
}

export function refundEvent(
  event: RefundEvent,
  refund: Refund,
  previousStatus: string | null,
  mint: string,
): NewEvent {
  const { merchantId, id, sequence, status, projectId, customerId, txSignature } = refund;
  return {
    merchantId,
    event,
    objectType: 'refund',
    objectId: id,
    sequence,
    status,
    previousStatus,
    orderingKey: id,
    data: {
      projectId,
      status,
      previousStatus,
      customerId,
      txSignature,
      refund: presentRefund(refund, mint),
    },
  };
}
