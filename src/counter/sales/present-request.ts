import { Int64, Nullable, OneOf, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { REQUEST_STATUSES, type RefundRequestRow } from './refund-request.ts';

export const RequestView = Shape(
  'RefundRequest',
  {
    id: Uuid(),
    status: OneOf(REQUEST_STATUSES),
    paymentIntentId: Uuid('The sale.'),
    orderId: Text({ max: 128 }),
    terminalId: Uuid(),
    tillId: Uuid(),
    receivedCents: Int64({ description: 'What the sale has received.' }),
    reason: Nullable(Text({ max: 200, description: 'As staff wrote it.' })),
    refundId: Nullable(Uuid('Of an approved one.')),
    createdAt: Timestamp(),
    decidedAt: Nullable(Timestamp()),
  },
  { description: 'Staff at a till ask for a refund of one of its sales.' },
);

export function presentRequest(request: RefundRequestRow) {
  const { merchantId: _, intentId: paymentIntentId, ...shown } = request;
  return { ...shown, paymentIntentId };
}
