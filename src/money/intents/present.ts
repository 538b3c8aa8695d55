import { Int64, Nullable, OneOf, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { saturateInt64 } from '../../platform/lib/money.ts';
import { type Intent, MAX_ORDER_ID_LENGTH, receivedCents, STATUSES } from './intent.ts';

export const IntentView = Shape('PaymentIntent', {
  id: Uuid(),
  orderId: Nullable(Text({ max: MAX_ORDER_ID_LENGTH, description: "The merchant's order." })),
  expectedAmountCents: Int64(),
  referenceAddress: Nullable(
    Text({ description: 'Identifies this intent on chain; the payment includes it.' }),
  ),
  destinationAddress: Nullable(
    Text({ description: "The merchant's payout address when the intent was created." }),
  ),
  status: Nullable(OneOf(STATUSES)),
  expiresAt: Timestamp(),
  amountReceivedCents: Int64({ description: 'What has finally arrived so far.' }),
});

export function presentIntent(intent: Intent) {
  return {
    id: intent.id,
    orderId: intent.orderId,
    expectedAmountCents: intent.expectedAmountCents,
    referenceAddress: intent.referenceAddress,
    destinationAddress: intent.destinationAddress,
    status: intent.status,
    expiresAt: intent.expiresAt,
    amountReceivedCents: saturateInt64(receivedCents(intent)),
  };
}

/** Exactly the five fields that a payment intent's webhook carries. */
export function presentIntentEventData(intent: Intent) {
  return {
    paymentIntentId: intent.id,
    orderId: intent.orderId,
    amountCents: saturateInt64(receivedCents(intent)),
    expectedAmountCents: intent.expectedAmountCents,
    txSignature: intent.txSignature,
  };
}
