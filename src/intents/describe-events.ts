import { EventBody } from '../events/describe.ts';
import type { WebhookDescription } from '../http/openapi.ts';
import { Int64, Nullable, Shape, Text, Uuid } from '../http/schema.ts';
import { STATUSES } from './intent.ts';

const MEANINGS = {
  'payment_intent.succeeded': 'The payment was received in full.',
  'payment_intent.underpaid': 'A payment was received, but less than expected.',
  'payment_intent.failed': 'A payment failed; the intent can still be paid.',
  'payment_intent.expired': 'The intent expired with nothing received.',
  'payment_intent.updated': 'The intent changed in another way, such as being canceled.',
};

const body = EventBody(
  'PaymentIntentEvent',
  Object.keys(MEANINGS),
  STATUSES,
  Shape('PaymentIntentEventData', {
    paymentIntentId: Uuid(),
    orderId: Nullable(Text({ max: 128 })),
    amountCents: Int64({ description: 'What has finally arrived so far.' }),
    expectedAmountCents: Int64(),
    txSignature: Nullable(Text({ description: 'The latest transaction that brought money.' })),
  }),
);

export const intentWebhooks: WebhookDescription[] = Object.entries(MEANINGS).map(([event, summary]) => ({
  event,
  summary,
  body,
}));
