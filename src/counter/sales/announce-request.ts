import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { presentRequest } from './present-request.ts';
import type { RefundRequestRow, RequestStatus } from './refund-request.ts';

export type RequestEvent = 'refund_request.created' | 'refund_request.approved' | 'refund_request.declined';

const EVENTS: Record<RequestStatus, RequestEvent> = {
  open: 'refund_request.created',
  approved: 'refund_request.approved',
  declined: 'refund_request.declined',
};

/** Says that staff asked, or what an owner decided. Each request is decided once. */
export async function announceRequest(tx: Tx, request: RefundRequestRow, now: Date): Promise<void> {
  const { merchantId, id, status } = request;
  const previousStatus = status === 'open' ? null : 'open';
  const object = { objectType: 'refund_request', objectId: id, orderingKey: id };
  const data = { status, previousStatus, refundRequest: presentRequest(request) };
  const sequence = status === 'open' ? 1 : 2;
  await appendEvents(
    tx,
    [{ merchantId, event: EVENTS[status], ...object, sequence, status, previousStatus, data }],
    now,
  );
}
