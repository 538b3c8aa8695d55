import { EventBody } from '../../platform/events/describe.ts';
import type { WebhookDescription } from '../../platform/http/openapi.ts';
import { Nullable, OneOf, Shape } from '../../platform/http/schema.ts';
import type { RequestEvent } from './announce-request.ts';
import { RequestView } from './present-request.ts';
import { REQUEST_STATUSES } from './refund-request.ts';

const MEANINGS: Record<RequestEvent, string> = {
  'refund_request.created': 'Staff at a till ask for a refund of a sale. An owner decides.',
  'refund_request.approved': 'An owner approved it: a refund was created. No money has moved yet.',
  'refund_request.declined': 'An owner declined it. Staff can ask again.',
};

const status = OneOf(REQUEST_STATUSES);

const body = EventBody(
  'RefundRequestEvent',
  Object.keys(MEANINGS),
  REQUEST_STATUSES,
  Shape('RefundRequestEventData', { status, previousStatus: Nullable(status), refundRequest: RequestView }),
);

export const refundRequestWebhooks: WebhookDescription[] = Object.entries(MEANINGS).map(
  ([event, summary]) => ({
    event,
    summary,
    body,
  }),
);
