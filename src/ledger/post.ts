import { isUniqueViolation, type Tx } from '../db/database.ts';
import { appendEvents } from '../events/append-events.ts';
import { AppError } from '../lib/errors.ts';
import { newId } from '../lib/ids.ts';
import { MAX_INT64 } from '../lib/money.ts';
import { eventsOf, type OtherSide, type Posting, statusOfBalance } from './posting.ts';
import { presentBalanceEventData } from './present.ts';
import {
  findInvoicePosting,
  findPosting,
  insertBalance,
  insertPosting,
  type LockedBalance,
  lockBalance,
  updateBalance,
} from './queries.ts';

export interface Post {
  merchantId: string;
  customerId: string;
  deltaCredits?: bigint;
  deltaCents?: bigint;
  otherSide: OtherSide;
  reason?: string | null;
  invoiceId?: string | null;
  usageRecordId?: string | null;
  reversesId?: string | null;
  /** Whose other events these follow; the customer's own when nothing else happens with them. */
  lane?: string;
  now: Date;
}

/**
 * Moves credit between a customer and the account on the other side: balance, posting and events in the
 * caller's transaction. A balance never falls below zero: what it lacks is `INSUFFICIENT_BALANCE`.
 */
export async function post(tx: Tx, input: Post): Promise<Posting> {
  await insertBalance(tx, input);
  const before = await lockBalance(tx, input);
  if (!before) throw new AppError('NOT_FOUND');
  const { deltaCredits = 0n, deltaCents = 0n, now } = input;
  const credits = before.credits + deltaCredits;
  const cents = before.cents + deltaCents;
  if (credits < 0n || cents < 0n) throw new AppError('INSUFFICIENT_BALANCE');
  // By hand only: money that has arrived is counted whatever the sum, and answers stop at the largest number.
  const isGrowing = deltaCredits > 0n || deltaCents > 0n;
  if (input.otherSide === 'adjustment' && isGrowing && (credits > MAX_INT64 || cents > MAX_INT64)) {
    throw new AppError('INVALID_STATE', { message: 'The balance would grow past what can be counted.' });
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
    otherSide: input.otherSide,
    reason: input.reason ?? null,
    invoiceId: input.invoiceId ?? null,
    usageRecordId: input.usageRecordId ?? null,
    reversesId: input.reversesId ?? null,
    createdAt: now,
  };
  await insertPosting(tx, posting);
  const names = eventsOf(posting, before.lowBalanceCredits);
  await updateBalance(tx, input, { credits, cents, sequence: before.sequence + names.length });
  await announce(tx, posting, before, names, input.lane ?? input.customerId);
  return posting;
}

async function announce(
  tx: Tx,
  posting: Posting,
  before: LockedBalance,
  names: readonly string[],
  lane: string,
): Promise<void> {
  const low = before.lowBalanceCredits;
  const events = names.map((event, i) => ({
    merchantId: posting.merchantId,
    event,
    objectType: 'customer_balance',
    objectId: posting.customerId,
    sequence: before.sequence + 1 + i,
    status: statusOfBalance(posting.creditsAfter, low),
    previousStatus: statusOfBalance(i === 0 ? before.credits : posting.creditsAfter, low),
    lane,
    data: presentBalanceEventData(posting, before.externalCustomerId),
  }));
  await appendEvents(tx, events, posting.createdAt);
}

export interface Reverse {
  merchantId: string;
  postingId: string;
  reason: string;
  lane?: string;
  now: Date;
}

/** Takes a posting back, once. What has been spent since cannot be taken back. */
export async function reversePosting(tx: Tx, input: Reverse): Promise<Posting> {
  const { merchantId, postingId, reason, now, lane } = input;
  const posting = await findPosting(tx, merchantId, postingId);
  if (!posting) throw new AppError('NOT_FOUND');
  return reverse(tx, posting, { reason, now, ...(lane && { lane }) });
}

/** Gives back the account credit an invoice took, if it took any. */
export async function returnInvoiceCredit(
  tx: Tx,
  input: { merchantId: string; invoiceId: string; lane?: string; now: Date },
): Promise<void> {
  const posting = await findInvoicePosting(tx, input.merchantId, input.invoiceId);
  if (posting) {
    await reverse(tx, posting, {
      reason: 'invoice not paid',
      now: input.now,
      ...(input.lane && { lane: input.lane }),
    });
  }
}

async function reverse(
  tx: Tx,
  posting: Posting,
  { reason, now, lane }: { reason: string; now: Date; lane?: string },
): Promise<Posting> {
  return post(tx, {
    merchantId: posting.merchantId,
    customerId: posting.customerId,
    deltaCredits: -posting.deltaCredits,
    deltaCents: -posting.deltaCents,
    otherSide: posting.otherSide,
    reason,
    invoiceId: posting.invoiceId,
    reversesId: posting.id,
    ...(lane && { lane }),
    now,
  }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'INSUFFICIENT_BALANCE') {
      throw new AppError('INVALID_STATE', {
        message: 'The credit this money became has been spent already.',
      });
    }
    if (isUniqueViolation(error)) {
      throw new AppError('INVALID_STATE', { message: 'This posting was taken back already.' });
    }
    throw error;
  });
}
