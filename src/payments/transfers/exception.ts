import { USDC_DECIMALS } from '../../chain/solana/network.ts';
import {
  as,
  bigint,
  boolean,
  nullable,
  numeric,
  oneOf,
  smallint,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import { type BaseUnits, baseUnitsToCents, type Cents } from '../../platform/lib/money.ts';

export const EXCEPTION_KINDS = [
  'unmatched',
  'ambiguous',
  'wrong_mint',
  'canceled',
  'late',
  'surplus',
  'duplicate_order',
  'stray',
  'over_refunded',
] as const;
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number];

export const EXCEPTION_STATUSES = ['open', 'linked', 'returned', 'kept', 'credited', 'dust'] as const;
/** Statuses that are listed without a status filter. Dust is not: anyone can send it, in any number. */
export const LISTED_STATUSES = EXCEPTION_STATUSES.filter((status) => status !== 'dust');

/** Money that needs a person's review. No dollar that arrives stays unexplained. */
export const paymentExceptions = table(
  'payment_exceptions',
  {
    merchantId: uuid,
    id: uuid,
    kind: oneOf(EXCEPTION_KINDS),
    status: withDefault(oneOf(EXCEPTION_STATUSES)),
    signature: text,
    destination: text,
    mint: text,
    /** Amount in the smallest unit of its token. */
    baseUnits: as<BaseUnits>(numeric),
    /** Decimals of its token, from the chain; null for another token that was listed before this was kept. */
    decimals: nullable(smallint),
    /** The intent it was meant for, or is too much for. */
    intentId: nullable(uuid),
    /** The intent a person gave it to. */
    linkedIntentId: nullable(uuid),
    /** The account credit it became: on arrival, until a person decides otherwise, or because a person decided so. */
    postingId: nullable(uuid),
    /** The refund that sends it back; of `over_refunded`, the one that more was sent for than it was for. */
    refundId: nullable(uuid),
    /** The intent had been paid when it came: it is no part of what the intent received. */
    isAfterPayment: withDefault(boolean),
    /** Number of transfers it covers: more than one only for a wrong token, of which the first is shown. */
    transferCount: withDefault(bigint),
    note: nullable(text),
    createdAt: timestamp,
    resolvedAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);
export type PaymentException = RowOf<typeof paymentExceptions>;

type Raised = Omit<
  PaymentException,
  | 'status'
  | 'linkedIntentId'
  | 'refundId'
  | 'isAfterPayment'
  | 'transferCount'
  | 'note'
  | 'resolvedAt'
  | 'decimals'
> & { refundId?: string; isAfterPayment?: boolean; decimals?: number | null };

/** The initial status: open for review, or closed immediately if it is dust. */
export function asListed(raised: Raised): PaymentException {
  const { refundId = null, isAfterPayment = false, decimals = USDC_DECIMALS } = raised;
  const listed = {
    ...raised,
    decimals,
    linkedIntentId: null,
    refundId,
    isAfterPayment,
    transferCount: 1n,
    note: null,
  };
  return isDust(raised)
    ? { ...listed, status: 'dust', resolvedAt: raised.createdAt }
    : { ...listed, status: 'open', resolvedAt: null };
}

/**
 * Less than a cent. Other tokens are not measured in cents, and what became account credit is reviewed by a person.
 */
function isDust(raised: Raised): boolean {
  return raised.postingId === null && centsOf(raised) === 0n;
}

/** True if it is not decided yet; dust needs no decision, but can still get one. */
export function isUndecided({ status }: PaymentException): boolean {
  return status === 'open' || status === 'dust';
}

/** Actions that are possible with money of a kind. */
interface Traits {
  /** Money of the right kind that no intent has been credited with. What was paid beyond the price or in part has been: it can only go back. */
  isLinkable: boolean;
  /** Part of what its intent has received, so that sending it back takes from the same money. */
  isOfIntent: boolean;
  /** Another token is sent back by hand, and what was sent twice is no longer here. */
  isRefundable: boolean;
}

/** Another token than the one that we count: it has no cents. */
export const isOtherToken = ({ kind }: Pick<PaymentException, 'kind'>) => kind === 'wrong_mint';

/** Whole cents of USDC; null for another token, of which nobody says what it is worth. */
export function centsOf(exception: Pick<PaymentException, 'kind' | 'baseUnits'>): Cents | null {
  return isOtherToken(exception) ? null : baseUnitsToCents(exception.baseUnits);
}

const LINKABLE: Traits = { isLinkable: true, isOfIntent: false, isRefundable: true };
const OF_INTENT: Traits = { isLinkable: false, isOfIntent: true, isRefundable: true };
const NEITHER: Traits = { isLinkable: false, isOfIntent: false, isRefundable: false };

const TRAITS: Record<ExceptionKind, Traits> = {
  unmatched: LINKABLE,
  ambiguous: LINKABLE,
  wrong_mint: NEITHER,
  canceled: LINKABLE,
  late: LINKABLE,
  surplus: OF_INTENT,
  duplicate_order: OF_INTENT,
  stray: OF_INTENT,
  over_refunded: NEITHER,
};

const traitsOf = ({ kind, isAfterPayment }: PaymentException) => (isAfterPayment ? LINKABLE : TRAITS[kind]);

export const isLinkable = (exception: PaymentException) => traitsOf(exception).isLinkable;
export const isOfIntent = (exception: PaymentException) => traitsOf(exception).isOfIntent;
export const isRefundable = (exception: PaymentException) => traitsOf(exception).isRefundable;

const UNALLOCATED_KINDS = EXCEPTION_KINDS.filter((kind) => TRAITS[kind].isLinkable);

/** SQL condition that a row of `payment_exceptions` is money that arrived and that no intent had been credited with. */
export const IS_UNALLOCATED = (exception: string) =>
  `(${exception}.kind in (${UNALLOCATED_KINDS.map((kind) => `'${kind}'`).join(', ')}) or ${exception}.is_after_payment)`;
