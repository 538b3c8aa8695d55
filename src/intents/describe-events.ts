import { EventBody } from '../platform/events/describe.ts';
import { MetadataView } from '../platform/http/metadata-schema.ts';
import type { WebhookDescription } from '../platform/http/openapi.ts';
import { Int64, Nullable, Shape, Text, Uuid } from '../platform/http/schema.ts';
import { MAX_ORDER_ID_LENGTH, STATUSES } from './intent.ts';

const MEANINGS = {
  'payment_intent.created': 'An intent was created. Sent only to webhook endpoints that name it.',
  'payment_intent.succeeded': 'Paid in full, finally, or accepted as paid by you: deliver what was ordered.',
  'payment_intent.underpaid': 'Less than expected arrived; sent again with each further cent.',
  'payment_intent.failed':
    'An attempt brought no USDC: it failed on chain, paid another account, or brought another token, which `exception.created` lists. The intent can still be paid.',
  'payment_intent.expired':
    'The deadline passed with nothing received; a late payment may still make it succeed.',
  'payment_intent.updated':
    'Any other change: processing, canceled, or a confirmed payment that was dropped.',
};

const body = EventBody(
  'PaymentIntentEvent',
  Object.keys(MEANINGS),
  STATUSES,
  Shape('PaymentIntentEventData', {
    paymentIntentId: Uuid(),
    orderId: Nullable(Text({ max: MAX_ORDER_ID_LENGTH })),
    amountCents: Int64({ description: 'What has finally arrived so far.' }),
    expectedAmountCents: Int64(),
    txSignature: Nullable(
      Text({
        description:
          'The latest transaction that brought money; of `payment_intent.failed`, the one that failed or was of the wrong kind.',
      }),
    ),
  }),
  { metadata: MetadataView },
);

export const intentWebhooks: WebhookDescription[] = Object.entries(MEANINGS).map(([event, summary]) => ({
  event,
  summary,
  body,
}));
