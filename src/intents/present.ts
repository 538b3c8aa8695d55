import { MetadataView } from '../platform/http/metadata-schema.ts';
import { Int64, Nullable, OneOf, Shape, Text, Timestamp, Uuid } from '../platform/http/schema.ts';
import { saturateInt64 } from '../platform/lib/money.ts';
import {
  type Intent,
  isWaiting,
  MAX_ORDER_ID_LENGTH,
  PAID_VIAS,
  receivedCents,
  STATUSES,
  waivedCents,
} from './intent.ts';
import { type PaymentUrlPlace, paymentUrlOf } from './payment-url.ts';

export const PAYMENT_URL =
  'A Solana Pay URL for what is still due; null when nothing is. For a vault it is a transaction request, otherwise a transfer request.';

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
  paidVia: Nullable(
    OneOf(
      PAID_VIAS,
      'How the last final payment came: signed on our page (wallet), sent from anywhere (transfer), or by a program (x402, mpp).',
    ),
  ),
  payerAddress: Nullable(
    Text({
      max: 44,
      description:
        'The wallet it came from. It may be an exchange’s, or belong to a program: the refund says which. Null: unknown, or several.',
    }),
  ),
  metadata: MetadataView,
  terminalId: Nullable(Uuid('The terminal it was created for.')),
  txSignature: Nullable(Text({ max: 88, description: 'The latest transaction that brought money.' })),
  paymentUrl: Nullable(Text({ max: 2048, description: PAYMENT_URL })),
  createdAt: Timestamp(),
  waivedCents: Int64({ description: 'What you waived of it when you accepted less as paid.' }),
});

export function presentIntent(intent: Intent, place: PaymentUrlPlace, now: Date) {
  return {
    id: intent.id,
    orderId: intent.orderId,
    expectedAmountCents: intent.expectedAmountCents,
    referenceAddress: intent.referenceAddress,
    destinationAddress: intent.destinationAddress,
    status: intent.status,
    expiresAt: intent.expiresAt,
    amountReceivedCents: saturateInt64(receivedCents(intent)),
    paidVia: intent.paidVia,
    payerAddress: intent.payerAddress,
    metadata: intent.metadata,
    terminalId: intent.terminalId,
    txSignature: intent.txSignature,
    // Without the seller's name, which would have to be looked up for each; the payer's own page says it.
    paymentUrl: (isWaiting(intent, now) && paymentUrlOf(intent, place)) || null,
    createdAt: intent.createdAt,
    waivedCents: waivedCents(intent),
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
