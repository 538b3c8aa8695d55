import { EventBody } from '../events/describe.ts';
import type { WebhookDescription, WebhookSample } from '../http/openapi.ts';
import { Int64, Nullable, Shape, Text, Uuid } from '../http/schema.ts';
import { STATUSES } from './intent.ts';

const MEANINGS = {
  'payment_intent.succeeded': 'The payment was received in full.',
  'payment_intent.underpaid': 'A payment was received, but less than expected.',
  'payment_intent.failed': 'A payment failed; the intent can still be paid.',
  'payment_intent.expired': 'The intent expired with nothing received.',
  'payment_intent.updated': 'The intent changed in another way, such as being canceled.',
};

const UNPAID = { amountCents: 0, txSignature: null };

const SAMPLES: Record<string, WebhookSample> = {
  'payment_intent.underpaid': { data: { amountCents: 500 } },
  'payment_intent.failed': { data: UNPAID },
  'payment_intent.expired': { data: UNPAID },
  'payment_intent.updated': { status: 'canceled', data: UNPAID },
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
  ...(SAMPLES[event] && { sample: SAMPLES[event] }),
}));
