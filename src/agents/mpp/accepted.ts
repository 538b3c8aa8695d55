import type { Intent } from '../../intents/intent.ts';
import { findIntentAnywhere } from '../../intents/queries.ts';
import { amountOf } from '../../payments/offers/sale.ts';
import type { Caller } from '../../payments/public-payments/payment-limits.ts';
import { dueBaseUnits } from '../../payments/public-payments/read-public-intent.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { awaitOutcome, findPaidOutcome, type Outcome } from '../x402/outcome.ts';
import type { SettleAt } from '../x402/parts.ts';
import { type OpenSale, type Place, requireOfferable } from '../x402/place.ts';
import { findPayingTransaction } from '../x402/queries.ts';
import { isExpired } from './challenge.ts';
import type { MppParts } from './parts.ts';
import { type Problem, problem } from './problem.ts';
import type { Challenge } from './protocol.ts';

/** Offer that was made, as we worded it, and the order that it belongs to. */
export interface Accepted {
  challenge: Challenge;
  place: Place;
  payTo: string;
  amountBaseUnits: BaseUnits;
  memo: string;
  reference: string;
  /** Id of the order that is written with the payment, or of the one that exists. */
  intentId: string;
  settleAt: SettleAt;
  /** The client's own name for its payment, if it has one. */
  purpose: string | null;
  caller: Caller;
}

/** The order's outcome, if it has been paid already, in whatever way. */
export async function findPaid(
  parts: MppParts,
  { place, intentId, settleAt }: Pick<Accepted, 'place' | 'intentId' | 'settleAt'>,
): Promise<Outcome | undefined> {
  const { db } = parts;
  const intent = await findIntentAnywhere(db, intentId);
  const paid = intent && (await findPaidOutcome(db, intent, settleAt));
  if (paid || !intent || place.kind === 'intent') return paid;
  // Our own transaction may have landed and not been booked yet.
  const paying = await findPayingTransaction(db, intent.merchantId, intentId);
  const outcome = paying && (await awaitOutcome(parts, paying, settleAt));
  return outcome?.kind === 'refused' ? undefined : outcome;
}

/** Checks that the sale still matches the offer and that the offer has not expired; otherwise returns the reason. */
export async function requireStill(
  parts: MppParts,
  { challenge, place, payTo, amountBaseUnits }: Accepted,
): Promise<Intent | OpenSale | Problem> {
  if (isExpired(challenge, parts.clock.now()))
    return problem('payment-expired', `This offer expired at ${challenge.expires}. Pay the new one.`);
  if (place.kind === 'intent') {
    await requireOfferable(parts, place.intent);
    return dueBaseUnits(place.intent) === amountBaseUnits ? place.intent : CHANGED;
  }
  const open = await place.read();
  return open.sale.payTo === payTo && amountOf(open.sale) === amountBaseUnits ? open : CHANGED;
}

export const CHANGED = problem(
  'invalid-challenge',
  'What is due, or the seller’s address, has changed since this was offered. Pay the new offer.',
);
