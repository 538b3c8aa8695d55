import { nullable, oneOf, text, timestamp, uuid, withDefault } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { Cents } from '../../platform/lib/money.ts';

export const REQUEST_STATUSES = ['open', 'approved', 'declined'] as const;
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

/** Staff at a till ask for refunds of its sales. */
export const refundRequests = table(
  'refund_requests',
  {
    merchantId: uuid,
    id: uuid,
    intentId: uuid,
    tillId: uuid,
    reason: nullable(text),
    status: withDefault(oneOf(REQUEST_STATUSES)),
    refundId: nullable(uuid),
    createdAt: timestamp,
    decidedAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);
export type RefundRequest = RowOf<typeof refundRequests>;

/** Request as an owner reads it, with its sale. */
export interface RefundRequestRow extends RefundRequest {
  orderId: string;
  terminalId: string;
  receivedCents: Cents;
}
