import { Int64, Nullable, OneOf, Shape, Text, Timestamp, Uuid } from '../http/schema.ts';
import { baseUnitsToCents, saturateInt64 } from '../lib/money.ts';
import { EXCEPTION_KINDS, EXCEPTION_STATUSES, type PaymentException } from './exception.ts';

export const ExceptionView = Shape('PaymentException', {
  id: Uuid(),
  kind: OneOf(EXCEPTION_KINDS, 'Why a person should look at this money.'),
  status: OneOf(EXCEPTION_STATUSES),
  amountCents: Int64({ description: 'Whole cents; for another token, its amount as if it had 6 decimals.' }),
  amountBaseUnits: Text({ description: 'The exact amount in the token’s smallest unit.' }),
  mint: Text({ description: 'Which token arrived.' }),
  txSignature: Text(),
  destinationAddress: Text(),
  paymentIntentId: Nullable(Uuid('The intent it names, if any.')),
  linkedPaymentIntentId: Nullable(Uuid('The intent it was given to.')),
  balanceEntryId: Nullable(Uuid('The account credit it became for the customer, until it is resolved.')),
  note: Nullable(Text({ max: 2000 })),
  createdAt: Timestamp(),
  resolvedAt: Nullable(Timestamp()),
});

export function presentException(exception: PaymentException) {
  return {
    id: exception.id,
    kind: exception.kind,
    status: exception.status,
    amountCents: saturateInt64(baseUnitsToCents(exception.baseUnits)),
    amountBaseUnits: exception.baseUnits.toString(),
    mint: exception.mint,
    txSignature: exception.signature,
    destinationAddress: exception.destination,
    paymentIntentId: exception.intentId,
    linkedPaymentIntentId: exception.linkedIntentId,
    balanceEntryId: exception.postingId,
    note: exception.note,
    createdAt: exception.createdAt,
    resolvedAt: exception.resolvedAt,
  };
}
