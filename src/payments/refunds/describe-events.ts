import { EventBody } from '../../platform/events/describe.ts';
import type { WebhookDescription } from '../../platform/http/openapi.ts';
import { Nullable, OneOf, Shape, Text, Uuid } from '../../platform/http/schema.ts';
import type { RefundEvent } from './change-refund.ts';
import { RefundView } from './present.ts';
import { REFUND_STATUSES } from './refund.ts';

const MEANINGS: Record<RefundEvent, string> = {
  'refund.created': 'A refund was created. No money has moved yet.',
  'refund.address_received': 'The customer named the address to refund to; approve it.',
  'refund.updated': 'The address was approved, a part was sent, or a transfer vanished from the chain.',
  'refund.processing': 'The transfer was seen on the chain. It is not final yet.',
  'refund.succeeded': 'The money has finally arrived at the customer’s address.',
  'refund.canceled': 'The refund was canceled before it was sent.',
  'refund.expired': 'The refund was not sent within 90 days.',
};

const status = OneOf(REFUND_STATUSES);

const body = EventBody(
  'RefundEvent',
  Object.keys(MEANINGS),
  REFUND_STATUSES,
  Shape('RefundEventData', {
    projectId: Nullable(Uuid()),
    status,
    previousStatus: Nullable(status),
    customerId: Nullable(Uuid()),
    txSignature: Nullable(Text()),
    refund: RefundView,
  }),
);

export const refundWebhooks: WebhookDescription[] = Object.entries(MEANINGS).map(([event, summary]) => ({
  event,
  summary,
  body,
}));
