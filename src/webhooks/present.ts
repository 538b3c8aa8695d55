import { Int32, List, Nullable, OneOf, Shape, Text, Timestamp, Uuid } from '../platform/http/schema.ts';
import { type Delivery, STATUSES } from './delivery.ts';

const LONGEST_BODY = 1_000_000;

const AttemptView = Shape('WebhookAttempt', {
  number: Int32({ min: 1, description: '1 for the first.' }),
  startedAt: Timestamp(),
  durationMs: Int32(),
  httpStatus: Nullable(Int32({ description: 'null without a response.' })),
  error: Nullable(Text({ description: 'null when it was accepted.' })),
});

export const DeliveryView = Shape('WebhookDelivery', {
  id: Uuid(),
  eventId: Uuid('The event: the same in every attempt and resend.'),
  event: Text(),
  status: OneOf(STATUSES, '`pending` before the first attempt, `failed` when there will be no other.'),
  url: Text({ max: 2_048, description: 'Where the last attempt went.' }),
  attempts: List(AttemptView),
  httpStatus: Nullable(Int32({ description: 'Of the last attempt.' })),
  error: Nullable(Text({ description: 'The error of the last attempt, or why the delivery failed.' })),
  durationMs: Nullable(Int32({ description: 'Of the last attempt.' })),
  requestBody: Nullable(
    Text({ max: LONGEST_BODY, lines: true, description: 'The exact text that is sent and signed.' }),
  ),
  responseBody: Nullable(
    Text({
      min: 0,
      max: 2_048,
      lines: true,
      description: 'The response to the last attempt, truncated.',
    }),
  ),
  nextAttemptAt: Nullable(Timestamp('null when there will be none.')),
  resendOf: Nullable(Uuid('The delivery that this one repeats.')),
  createdAt: Timestamp(),
  deliveredAt: Nullable(Timestamp()),
  endpointId: Uuid('The webhook endpoint it goes to.'),
});

export function presentDelivery(delivery: Delivery) {
  const { merchantId: _merchant, ordinal: _ordinal, orderingKey: _key, ...view } = delivery;
  return view;
}
