import { type BaseUnits, baseUnitsToCents } from '../../platform/lib/money.ts';

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
/** What is listed without a status filter: anyone can send dust, in any number. */
export const LISTED_STATUSES = EXCEPTION_STATUSES.filter((status) => status !== 'dust');

/** Money that needs a person's review. No dollar that arrives stays unexplained. */
export interface PaymentException {
  id: string;
  merchantId: string;
  kind: ExceptionKind;
  status: (typeof EXCEPTION_STATUSES)[number];
  signature: string;
  destination: string;
  mint: string;
  baseUnits: BaseUnits;
  /** The intent it was meant for, or is too much for. */
  intentId: string | null;
  /** The intent a person gave it to. */
  linkedIntentId: string | null;
  /** The account credit it became: on arrival, until a person decides otherwise, or because a person decided so. */
  postingId: string | null;
  /** The refund that sends it back; of `over_refunded`, the one that more was sent for than it was for. */
  refundId: string | null;
  /** How many transfers it covers: more than one only for a wrong token, of which the first is shown. */
  transferCount: bigint;
  note: string | null;
  createdAt: Date;
  resolvedAt: Date | null;
}

type Raised = Omit<
  PaymentException,
  'status' | 'linkedIntentId' | 'refundId' | 'transferCount' | 'note' | 'resolvedAt'
> & { refundId?: string };

/** The initial status: open for review, or closed immediately if it is dust. */
export function asListed(raised: Raised): PaymentException {
  const { refundId = null } = raised;
  const listed = { ...raised, linkedIntentId: null, refundId, transferCount: 1n, note: null };
  return isDust(raised)
    ? { ...listed, status: 'dust', resolvedAt: raised.createdAt }
    : { ...listed, status: 'open', resolvedAt: null };
}

/**
 * Less than a cent. Other tokens are not measured in cents, and what became account credit is reviewed by a person.
 */
function isDust({ kind, baseUnits, postingId }: Raised): boolean {
  return kind !== 'wrong_mint' && postingId === null && baseUnitsToCents(baseUnits) === 0n;
}

/** Not decided yet; dust needs no decision, but can still get one. */
export function isUndecided({ status }: PaymentException): boolean {
  return status === 'open' || status === 'dust';
}

/** What can be done with money of a kind. */
interface Traits {
  /** Money of the right kind that no intent has been credited with. A surplus or a part payment has been: it can only go back. */
  isLinkable: boolean;
  /** Part of what its intent has received, so that sending it back takes from the same money. */
  isOfIntent: boolean;
  /** Another token is sent back by hand, and what was sent twice is no longer here. */
  isRefundable: boolean;
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

export const isLinkable = ({ kind }: PaymentException) => TRAITS[kind].isLinkable;
export const isOfIntent = ({ kind }: PaymentException) => TRAITS[kind].isOfIntent;
export const isRefundable = ({ kind }: PaymentException) => TRAITS[kind].isRefundable;
