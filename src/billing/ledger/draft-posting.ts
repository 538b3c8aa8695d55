import type { NewEvent } from '../../platform/events/event.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { newId } from '../../platform/lib/ids.ts';
import { MAX_INT64 } from '../../platform/lib/money.ts';
import { type CounterAccount, eventsOf, type Posting, statusOfBalance } from './posting.ts';
import { presentBalanceEventData } from './present.ts';
import type { LockedBalance } from './queries.ts';

export interface Post {
  merchantId: string;
  customerId: string;
  deltaCredits?: bigint;
  deltaCents?: bigint;
  counterAccount: CounterAccount;
  reason?: string | null;
  invoiceId?: string | null;
  usageRecordId?: string | null;
  reversesId?: string | null;
  /** Ordering key of the events that these follow; the customer's own when nothing else happens with them. */
  orderingKey?: string;
  now: Date;
}

export interface PostingDraft {
  posting: Posting;
  after: LockedBalance;
  events: NewEvent[];
}

/** Applies a posting to a locked balance. The balance never falls below zero: too little is `INSUFFICIENT_BALANCE`. */
export function draftPosting(before: LockedBalance, input: Post): PostingDraft {
  const { deltaCredits = 0n, deltaCents = 0n, now } = input;
  const credits = before.credits + deltaCredits;
  const cents = before.cents + deltaCents;
  if (credits < 0n) throw insufficient('credits');
  if (cents < 0n) throw insufficient('account credit');
  // By hand only: money that has arrived is counted whatever the sum, and answers stop at the largest number.
  const isPastEdge = (deltaCredits > 0n && credits > MAX_INT64) || (deltaCents > 0n && cents > MAX_INT64);
  if (input.counterAccount === 'adjustment' && isPastEdge) {
    throw new AppError('INVALID_STATE', { message: 'The balance would exceed the maximum.' });
  }
  const posting: Posting = {
    id: newId(now),
    merchantId: input.merchantId,
    projectId: before.projectId,
    customerId: input.customerId,
    deltaCredits,
    deltaCents,
    creditsAfter: credits,
    centsAfter: cents,
    counterAccount: input.counterAccount,
    reason: input.reason ?? null,
    invoiceId: input.invoiceId ?? null,
    usageRecordId: input.usageRecordId ?? null,
    reversesId: input.reversesId ?? null,
    createdAt: now,
  };
  const events = announce(posting, before, input.orderingKey ?? input.customerId);
  return { posting, after: { ...before, credits, cents, sequence: before.sequence + events.length }, events };
}

function insufficient(what: string): AppError {
  return new AppError('INSUFFICIENT_BALANCE', { message: `The customer does not have enough ${what}.` });
}

function announce(posting: Posting, before: LockedBalance, orderingKey: string): NewEvent[] {
  const low = before.lowBalanceCredits;
  return eventsOf(posting, low).map((event, i) => ({
    merchantId: posting.merchantId,
    event,
    objectType: 'customer_balance',
    objectId: posting.customerId,
    sequence: before.sequence + 1 + i,
    status: statusOfBalance(posting.creditsAfter, low),
    previousStatus: statusOfBalance(i === 0 ? before.credits : posting.creditsAfter, low),
    orderingKey,
    data: presentBalanceEventData(posting, before.externalCustomerId),
  }));
}
