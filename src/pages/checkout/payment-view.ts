import { PAYABLE_DAYS_AFTER_EXPIRY } from '../../chain/solana/watched-account.ts';
import {
  type Intent,
  isCanceled,
  isPayableAt,
  receivedCents,
  requiredBaseUnits,
} from '../../intents/intent.ts';
import { addsCents } from '../../intents/seen.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { type BaseUnits, baseUnitsToCents, type Cents, centsToBaseUnits } from '../../platform/lib/money.ts';

/**
 * waiting → confirming → paid is the usual path. `checking`: the deadline has passed and the chain is still being
 * read; `late`: the deadline has passed, and it can still be paid; `over`: too late to buy anything.
 */
export type Stage =
  | 'waiting'
  | 'checking'
  | 'confirming'
  | 'underpaid'
  | 'late'
  | 'paid'
  | 'expired'
  | 'over'
  | 'canceled';

/** View of a request for money, for its payer. */
export interface PaymentView {
  stage: Stage;
  expectedCents: Cents;
  /** Arrived for good. */
  receivedCents: Cents;
  /** Cents on chain, not final yet. */
  seenCents: Cents;
  /** Cents that still have to be paid, after those on their way. */
  missingCents: Cents;
  /** Paid beyond what was asked. */
  surplusCents: Cents;
  /** The last attempt brought no USDC: why, only the chain says. */
  hasFailed: boolean;
  /** The deadline has passed. */
  isLate: boolean;
  /** Time until which a payment still counts. */
  payableUntil: Date;
}

/** Facts that the session behind an intent adds. */
export interface Terms {
  /** Withdrawn: whatever has arrived, nothing more is due. */
  isClosed?: boolean;
  /** A renewal stays payable after its deadline, because paying it restores the subscription. */
  isAskedLate?: boolean;
}

export function viewPayment(
  intent: Intent,
  seenBaseUnits: BaseUnits,
  now: Date,
  terms: Terms = {},
): PaymentView {
  const expected = requiredBaseUnits(intent);
  const known = intent.receivedBaseUnits + seenBaseUnits;
  return {
    stage: stageOf(intent, seenBaseUnits, now, terms),
    expectedCents: intent.expectedAmountCents,
    receivedCents: receivedCents(intent),
    seenCents: baseUnitsToCents(seenBaseUnits),
    missingCents: known < expected ? ceilToCents(expected - known) : 0n,
    surplusCents:
      intent.receivedBaseUnits > expected ? baseUnitsToCents(intent.receivedBaseUnits - expected) : 0n,
    hasFailed: intent.status === 'failed',
    isLate: now >= intent.expiresAt,
    payableUntil: new Date(intent.expiresAt.getTime() + PAYABLE_DAYS_AFTER_EXPIRY * DAY_MS),
  };
}

function stageOf(intent: Intent, seenBaseUnits: BaseUnits, now: Date, terms: Terms): Stage {
  const { status } = intent;
  if (isCanceled(intent) || terms.isClosed) return 'canceled';
  if (status === 'succeeded') return 'paid';
  if (status === 'processing' || addsCents(intent.receivedBaseUnits, seenBaseUnits)) return 'confirming';
  if (!isPayableAt(intent, now)) return 'over';
  if (status === 'underpaid') return status;
  if (status !== 'expired' && now < intent.expiresAt) return 'waiting';
  if (terms.isAskedLate) return 'late';
  return status === 'expired' ? status : 'checking';
}

/** A missing fraction of a cent is rounded up to a whole one: nobody pays less than is due. */
function ceilToCents(units: BaseUnits): Cents {
  const cents = baseUnitsToCents(units);
  return centsToBaseUnits(cents) < units ? cents + 1n : cents;
}

/** Stages in which a payment is requested. */
export function isAsking({ stage }: PaymentView): boolean {
  return stage === 'waiting' || stage === 'underpaid' || stage === 'late';
}

/** Stages before the final payment: somebody still has to pay. */
export function isOpen({ stage }: PaymentView): boolean {
  return stage === 'waiting' || stage === 'checking' || stage === 'underpaid' || stage === 'expired';
}
