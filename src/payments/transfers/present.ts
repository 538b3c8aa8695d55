import { USDC_DECIMALS } from '../../chain/solana/network.ts';
import { PAYER_KIND, PAYER_KINDS, payerKindOf } from '../../chain/solana/payer-kind.ts';
import { STATUSES } from '../../intents/intent.ts';
import {
  Count,
  Flag,
  Int32,
  Int64,
  List,
  Nullable,
  OneOf,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { baseUnitsToCents, saturateInt64 } from '../../platform/lib/money.ts';
import {
  centsOf,
  EXCEPTION_KINDS,
  EXCEPTION_STATUSES,
  isOtherToken,
  type PaymentException,
} from './exception.ts';
import { FAILURES } from './explain-failure.ts';
import type { History } from './read-history.ts';
import { MATCH_REASONS, type Suggestions } from './suggest-matches.ts';

export const ExceptionView = Shape('PaymentException', {
  id: Uuid(),
  kind: OneOf(EXCEPTION_KINDS, 'Why a person should review this money.'),
  status: OneOf(EXCEPTION_STATUSES, 'dust: less than a cent, which needs no action.'),
  amountCents: Nullable(
    Int64({
      description:
        'Whole cents of USDC. Null with `wrong_mint`: another token has no cents, and nobody says what it is worth.',
    }),
  ),
  amountBaseUnits: Text({ description: 'The exact amount in the token’s smallest unit.' }),
  decimals: Nullable(
    Int32({
      min: 0,
      max: 255,
      description:
        'How many decimals the token has: `56000000` with 6 of them is 56. Null with `wrong_mint` that was listed before this was kept.',
    }),
  ),
  mint: Text({ description: 'Which token arrived.' }),
  txSignature: Text(),
  destinationAddress: Text(),
  paymentIntentId: Nullable(Uuid('The intent it references, if any.')),
  linkedPaymentIntentId: Nullable(Uuid('The intent it was linked to.')),
  balanceEntryId: Nullable(Uuid('The account credit it became for the customer, until it is resolved.')),
  refundId: Nullable(
    Uuid(
      'The refund that sends it back; of `over_refunded`, the one that more was sent for than it was for.',
    ),
  ),
  isAfterPayment: Flag(
    'true if the intent had been paid when this money arrived: it is no part of what the intent received, and can be linked to another one.',
  ),
  transferCount: Count(
    'How many transfers it stands for. More than 1 only with `wrong_mint`: the same token again for the same intent, of which the first is shown.',
  ),
  note: Nullable(Text({ max: 2000 })),
  createdAt: Timestamp(),
  resolvedAt: Nullable(Timestamp()),
});

export const HistoryView = Shape('PaymentIntentHistory', {
  entries: List(
    Shape('PaymentIntentHistoryEntry', {
      at: Timestamp(),
      event: Nullable(
        Text({ description: 'The event of this change; null for the creation, which has none.' }),
      ),
      status: OneOf(STATUSES, 'The status of the intent from then on.'),
      amountReceivedCents: Int64({ description: 'What had finally arrived by then.' }),
      txSignature: Nullable(
        Text({
          description:
            'The last transaction that finally paid toward it by then; of `payment_intent.failed`, the attempt.',
        }),
      ),
      failureReason: Nullable(
        OneOf(
          FAILURES,
          'Of `payment_intent.failed`. failed_on_chain: no money moved. other_token: a token other than USDC arrived, see `exceptions`. elsewhere: it paid another account. Null where it is no longer known.',
        ),
      ),
    }),
  ),
  transactions: List(
    Shape('PaymentIntentTransaction', {
      txSignature: Text(),
      amountCents: Int64({ description: 'What it paid toward this intent, in whole cents.' }),
      amountBaseUnits: Text({ description: 'The same, exactly, in millionths of a USDC.' }),
      isFinal: Flag('false while the chain could still drop the payment.'),
      blockTime: Timestamp(),
    }),
  ),
  exceptions: List(ExceptionView),
});

export const SuggestionsView = Shape('PaymentExceptionSuggestions', {
  payerAddress: Nullable(
    Text({
      description: 'The address the money came from, see `payerKind`. Null if no node can say.',
    }),
  ),
  payerKind: Nullable(OneOf(PAYER_KINDS, PAYER_KIND)),
  suggestions: List(
    Shape('PaymentExceptionSuggestion', {
      paymentIntentId: Uuid(),
      orderId: Nullable(Text()),
      status: OneOf(STATUSES),
      amountCents: Int64({ description: 'What the intent is for.' }),
      missingCents: Int64({ description: 'What it still lacks, with its tip.' }),
      tipCents: Int64({ description: 'How much of it is a tip, which need not be paid.' }),
      customerId: Nullable(Uuid()),
      customerName: Nullable(Text()),
      customerEmail: Nullable(Text()),
      createdAt: Timestamp(),
      reasons: List(
        OneOf(
          MATCH_REASONS,
          'claimed: a payer says that this transaction paid it. named: the payment references it. same_amount: it lacks exactly this much, with its tip or without. less_a_fee: it lacks this much and a plausible withdrawal fee of an exchange, 0.10 to 5.00 USDC. same_sender: a part of it came from the same wallet.',
        ),
      ),
      isStrong: Flag(
        'True for strong evidence: the payment names it; or it is the only one of this amount, it was there when the money came, and a payer claims it (and nobody for another order) or a part of it came from the same wallet; or it is the only one whose reserved amount has the same digits beyond the cent, and the rest is a fee. At most one is. An amount alone is no evidence.',
      ),
    }),
  ),
});

export function presentSuggestions({ payerAddress, suggestions }: Suggestions) {
  return {
    payerAddress,
    payerKind: payerKindOf(payerAddress),
    suggestions: suggestions.map((suggestion) => ({
      ...suggestion,
      amountCents: saturateInt64(suggestion.amountCents),
      missingCents: saturateInt64(suggestion.missingCents),
      tipCents: saturateInt64(suggestion.tipCents),
    })),
  };
}

export function presentHistory({ entries, transactions, exceptions }: History) {
  return {
    entries,
    transactions: transactions.map(({ signature, baseUnits, isFinal, blockTime }) => ({
      txSignature: signature,
      amountCents: saturateInt64(baseUnitsToCents(baseUnits)),
      amountBaseUnits: baseUnits.toString(),
      isFinal,
      blockTime,
    })),
    exceptions: exceptions.map(presentException),
  };
}

export function presentException(exception: PaymentException) {
  const cents = centsOf(exception);
  return {
    id: exception.id,
    kind: exception.kind,
    status: exception.status,
    amountCents: cents === null ? null : saturateInt64(cents),
    amountBaseUnits: exception.baseUnits.toString(),
    decimals: exception.decimals ?? (isOtherToken(exception) ? null : USDC_DECIMALS),
    mint: exception.mint,
    txSignature: exception.signature,
    destinationAddress: exception.destination,
    paymentIntentId: exception.intentId,
    linkedPaymentIntentId: exception.linkedIntentId,
    balanceEntryId: exception.postingId,
    refundId: exception.refundId,
    isAfterPayment: exception.isAfterPayment,
    transferCount: exception.transferCount,
    note: exception.note,
    createdAt: exception.createdAt,
    resolvedAt: exception.resolvedAt,
  };
}

/** Presents an exception with its currency for a CSV file: another token has none. */
export function presentListed(exception: PaymentException) {
  const currency = isOtherToken(exception) ? null : 'USD';
  return { ...presentException(exception), currency };
}
