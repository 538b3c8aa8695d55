import { transferRequestUrl } from '../../chain/solana/pay-url.ts';
import { PAYER_KIND, PAYER_KINDS, payerKindOf } from '../../chain/solana/payer-kind.ts';
import { MetadataView } from '../../platform/http/metadata-schema.ts';
import { Flag, Int64, Nullable, OneOf, Shape, Text, Timestamp, Uuid } from '../../platform/http/schema.ts';
import { baseUnitsToCents, saturateInt64 } from '../../platform/lib/money.ts';
import { creditNoteNumber } from './credit-note.ts';
import {
  ADDRESS_SOURCES,
  CLAIM_EMAILS,
  dueBaseUnits,
  REFUND_REASONS,
  REFUND_STATUSES,
  type Refund,
  refundNumber,
} from './refund.ts';

const EffectsView = Shape('RefundEffects', {
  revokeCredits: Flag('Take back the prepaid credits that were bought, in proportion to the amount.'),
  cancelSubscription: Flag('Cancel the subscription that was paid for, immediately.'),
});

export const RefundView = Shape('Refund', {
  id: Uuid(),
  number: Text({
    description: 'Without gaps within a merchant. It is the memo of the transfer, for all to read.',
  }),
  projectId: Nullable(Uuid()),
  customerId: Nullable(Uuid()),
  paymentIntentId: Nullable(Uuid('The payment whose money is sent back.')),
  invoiceId: Nullable(Uuid()),
  exceptionId: Nullable(Uuid('The exception whose money is sent back.')),
  status: OneOf(REFUND_STATUSES),
  amountCents: Int64(),
  amountSentCents: Int64({ description: 'What has finally arrived at the address, as the chain shows it.' }),
  currency: Text(),
  reason: OneOf(REFUND_REASONS),
  note: Nullable(Text({ max: 2000, description: 'For you alone.' })),
  address: Nullable(Text({ description: 'Where the money goes. Frozen once it is approved.' })),
  addressSource: Nullable(
    OneOf(ADDRESS_SOURCES, 'Who named it; payer: the customer signed with the wallet that paid.'),
  ),
  addressApprovedAt: Nullable(Timestamp()),
  payerAddress: Nullable(
    Text({
      description:
        'The address the payment came from, as far as it is known, see `payerKind`. An exchange or a program would keep the money: ask the customer.',
    }),
  ),
  payerKind: Nullable(OneOf(PAYER_KINDS, PAYER_KIND)),
  claimEmailStatus: Nullable(
    OneOf(
      CLAIM_EMAILS,
      'The e-mail that asks the customer for an address; null where none was written. failed: it could not be delivered, or a newer claim link replaced it before it was sent.',
    ),
  ),
  referenceAddress: Text({ description: 'Names this refund on chain; the transfer carries it.' }),
  paymentUrl: Nullable(
    Text({ max: 2048, description: 'A Solana Pay URL for what is still to be sent; null when nothing is.' }),
  ),
  preparedUntil: Nullable(
    Timestamp(
      'A prepared transaction may still land, usually until about then: send no other one while this is set. It is null again once the chain shows that it no longer can.',
    ),
  ),
  notifyCustomer: Flag(),
  effects: EffectsView,
  txSignature: Nullable(
    Text({
      description: 'The transaction that made it complete; until one has, the last that finally sent a part.',
    }),
  ),
  creditNoteId: Nullable(Uuid()),
  creditNoteNumber: Nullable(Text()),
  createdAt: Timestamp(),
  expiresAt: Timestamp(),
  succeededAt: Nullable(Timestamp()),
  canceledAt: Nullable(Timestamp()),
  metadata: MetadataView,
});

export function presentRefund(refund: Refund, mint: string) {
  return {
    id: refund.id,
    number: refundNumber(refund.number),
    projectId: refund.projectId,
    customerId: refund.customerId,
    paymentIntentId: refund.paymentIntentId,
    invoiceId: refund.invoiceId,
    exceptionId: refund.exceptionId,
    status: refund.status,
    amountCents: refund.amountCents,
    amountSentCents: saturateInt64(baseUnitsToCents(refund.sentBaseUnits)),
    currency: 'USD',
    reason: refund.reason,
    note: refund.note,
    metadata: refund.metadata,
    address: refund.address,
    addressSource: refund.addressSource,
    addressApprovedAt: refund.addressApprovedAt,
    payerAddress: refund.payerAddress,
    payerKind: payerKindOf(refund.payerAddress),
    claimEmailStatus: refund.claimEmail,
    referenceAddress: refund.referenceAddress,
    paymentUrl: paymentUrlOf(refund, mint),
    preparedUntil: refund.status === 'ready' ? refund.preparedUntil : null,
    notifyCustomer: refund.notifyCustomer,
    effects: { revokeCredits: refund.revokeCredits, cancelSubscription: refund.cancelSubscription },
    txSignature: refund.txSignature,
    creditNoteId: refund.creditNoteId,
    creditNoteNumber: refund.creditNoteNumber === null ? null : creditNoteNumber(refund.creditNoteNumber),
    createdAt: refund.createdAt,
    expiresAt: refund.expiresAt,
    succeededAt: refund.succeededAt,
    canceledAt: refund.canceledAt,
  };
}

/** Only where the money may be sent now: an address that nobody has approved makes no code. */
export function paymentUrlOf(refund: Refund, mint: string): string | null {
  if (refund.status !== 'ready' || refund.address === null) return null;
  const number = refundNumber(refund.number);
  const url = transferRequestUrl({
    destination: refund.address,
    amountBaseUnits: dueBaseUnits(refund),
    mint,
    reference: refund.referenceAddress,
    message: `Refund ${number}`,
    memo: number,
  });
  return url ?? null;
}
