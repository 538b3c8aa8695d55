import type { Intent } from '../../money/intents/intent.ts';
import { findIntentAnywhere } from '../../money/intents/queries.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { amountOf } from '../offers/sale.ts';
import { dueBaseUnits } from '../public-payments/read-public-intent.ts';
import { findPaidOutcome, type Outcome } from '../x402/outcome.ts';
import type { SettleAt } from '../x402/parts.ts';
import { type OpenSale, type Place, requireOfferable } from '../x402/place.ts';
import { isExpired } from './challenge.ts';
import type { MppParts } from './parts.ts';
import { type Problem, problem } from './problem.ts';
import type { Challenge } from './protocol.ts';

/** What was offered, in our own words, and to which order it belongs. */
export interface Accepted {
  challenge: Challenge;
  place: Place;
  payTo: string;
  amountBaseUnits: BaseUnits;
  memo: string;
  reference: string;
  /** Of the order that is written with the payment, or of the one that exists. */
  intentId: string;
  settleAt: SettleAt;
  /** Counts against the client before the network is asked. */
  requireCapacity(payer: string): void;
}

/** The order's outcome, if it has been paid already, in whatever way. */
export async function findPaid(
  { db }: MppParts,
  { intentId, settleAt }: Pick<Accepted, 'intentId' | 'settleAt'>,
): Promise<Outcome | undefined> {
  const intent = await findIntentAnywhere(db, intentId);
  return intent && findPaidOutcome(db, intent, settleAt);
}

/** What is sold is still what was offered, and its time is not over; otherwise why not. */
export async function requireStill(
  parts: MppParts,
  { challenge, place, payTo, amountBaseUnits }: Accepted,
  at = parts.clock.now(),
): Promise<Intent | OpenSale | Problem> {
  if (isExpired(challenge, at))
    return problem('payment-expired', `This offer expired at ${challenge.expires}. Pay the new one.`);
  if (place.kind === 'intent') {
    await requireOfferable(parts, place.intent);
    return dueBaseUnits(place.intent) === amountBaseUnits ? place.intent : CHANGED;
  }
  const open = await place.read();
  return open.sale.payTo === payTo && amountOf(open.sale) === amountBaseUnits ? open : CHANGED;
}

const CHANGED = problem(
  'invalid-challenge',
  'What is due, or the seller’s address, has changed since this was offered. Pay the new offer.',
);
