import { pageQuery } from '../../platform/http/list.ts';
import { ChangedMetadata, MetadataTerms, NewMetadata } from '../../platform/http/metadata-schema.ts';
import {
  Flag,
  Int64,
  List,
  Nullable,
  OneOf,
  Optional,
  Shape,
  type Static,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { RefundView } from './present.ts';
import { REFUND_REASONS, REFUND_STATUSES } from './refund.ts';

const Address = Text({
  min: 32,
  max: 44,
  description: 'A Solana address: the wallet, not its token account.',
});

export const CreateRefundBody = Shape('CreateRefundRequest', {
  paymentIntentId: Optional(Uuid('The payment to refund: this, invoiceId or exceptionId.')),
  invoiceId: Optional(Uuid()),
  exceptionId: Optional(Uuid('Money that was too much, too late or matched nothing.')),
  amountCents: Optional(Int64({ min: 1, description: 'Default: all that is left to refund.' })),
  reason: OneOf(REFUND_REASONS),
  note: Optional(Nullable(Text({ max: 2000, lines: true, description: 'For you alone.' }))),
  address: Optional(Nullable(Address)),
  notifyCustomer: Optional(
    Flag('E-mail the customer, where one with an e-mail address is known. Default: true.'),
  ),
  effects: Optional(
    Shape('RefundEffectsRequest', {
      revokeCredits: Optional(
        Flag('Take back the prepaid credits that were bought, in proportion to the amount. Default: false.'),
      ),
      cancelSubscription: Optional(
        Flag('Cancel the subscription that was paid for, immediately. Default: false.'),
      ),
      takeBackCredit: Optional(
        Flag(
          'Refund also what a plan change gave as account credit for the time that was paid, and take that credit back, as far as the customer still has it. Default: false.',
        ),
      ),
    }),
  ),
  metadata: NewMetadata,
});
export type CreateBody = Static<typeof CreateRefundBody>;

export const ListQuery = Shape(undefined, {
  ...pageQuery,
  status: Optional(List(OneOf(REFUND_STATUSES), { max: REFUND_STATUSES.length })),
  projectId: Optional(Uuid()),
  customerId: Optional(Uuid()),
  paymentIntentId: Optional(Uuid()),
  invoiceId: Optional(Uuid()),
  exceptionId: Optional(Uuid()),
  txSignature: Optional(Text({ max: 88 })),
  metadata: MetadataTerms,
});

export const PatchRefundBody = Shape('UpdateRefundRequest', { metadata: ChangedMetadata });

export const ApproveBody = Shape('ApproveRefundAddressRequest', { address: Address });

export const ClaimLinkView = Shape('RefundClaimLink', {
  url: Text({ max: 2048, description: 'Shown once.' }),
  expiresAt: Timestamp(),
});

const MAX_AT_ONCE = 10;

export const PrepareBody = Shape('PrepareRefundsRequest', {
  ids: List(Uuid(), { min: 1, max: MAX_AT_ONCE }),
  payer: {
    ...Text({ min: 32, max: 44 }),
    description: 'The wallet that will sign: yours, with USDC and a little SOL.',
  },
  unlessPrepared: Optional(
    Flag(
      'Refuse where a transaction that was prepared before may still land (preparedUntil). Default: false.',
    ),
  ),
});

export const PreparedView = Shape('PreparedRefunds', {
  transaction: Text({ max: 1644, description: 'Unsigned, in base64.' }),
  payer: Text(),
  lastValidBlockHeight: Int64({ description: 'After this block it can no longer land; prepare again then.' }),
  refunds: List(RefundView),
});

export const SendBody = Shape('SendRefundsRequest', {
  transaction: Text({ max: 1644, description: 'Signed, in base64: the prepared one with your signature.' }),
});

export const SentView = Shape('SentRefunds', {
  signature: Text({ max: 88, description: 'The transaction’s, in base58.' }),
  refundIds: List(Uuid()),
});
