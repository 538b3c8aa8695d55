import { signingPayerOf } from '../../chain/solana/find-payer.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import { type Intent, isCanceled } from '../../intents/intent.ts';
import { findIntentAnywhere } from '../../intents/queries.ts';
import { acceptOrder } from '../../payments/offers/accept-order.ts';
import { cancelUnpaid } from '../../payments/offers/release-order-key.ts';
import type { PromisedIds, Sale } from '../../payments/offers/sale.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { bookLanded, destinationOf } from './book-landed.ts';
import { isListable, listArrived } from './list-arrived.ts';
import type { Outcome } from './outcome.ts';
import type { X402Parts } from './parts.ts';
import { ERRORS } from './protocol.ts';
import { isDecidedElsewhere } from './queries.ts';

/** A payment that is on chain, checked: it was right when it landed. */
export interface LandedPayment extends PromisedIds {
  transaction: LandedTransaction;
  payTo: string;
  /** Reads what is or was sold, for an order without a row. */
  readSold(): Promise<Sale>;
  /** The client's own name for its payment, scoped to its wallet. */
  keyOf?(buyer: string): string | null;
  /** Reason why no order is created for it any more, in a sentence. */
  whyTooLate?: string | undefined;
}

/**
 * Books a payment for the order it names, whatever has happened to the order since; an order without a row is created as
 * offered. An order that can no longer be fulfilled ends in an error that asks for no more money, which is listed.
 */
export async function bookPayment(parts: X402Parts, landed: LandedPayment): Promise<Outcome> {
  const { transaction, payTo, intentId } = landed;
  const { signature } = transaction;
  const payer = await payerOf(parts, transaction, payTo);
  // A payment that no single wallet signed gets a buyer of its own.
  const buyer = payer || signature;
  const known = await findIntentAnywhere(parts.db, intentId);
  const order = known ?? (await createOrder(parts, landed, buyer));
  const { merchantId } = order;
  const isBooked = await bookLanded(parts, order, transaction);
  const now = (await findIntentAnywhere(parts.db, intentId))!;
  if (!isBooked) {
    if (isCanceled(now) || now.isRefunding)
      throw arrived(`This order is ${stateOf(now)} and can no longer be fulfilled.`);
    if (now.status === 'succeeded') return paidBefore(now, payer);
    if (await isSpokenFor(parts.db, landed)) {
      // The seller was faster, by a moment.
      if (!known) await parts.db.transaction((tx) => cancelUnpaid(tx, order, parts.clock.now()));
      throw spokenFor();
    }
    return { kind: 'pending', payer, signature };
  }
  if (now.status === 'underpaid') return { ...PART, payer, signature };
  return { kind: 'paid', merchantId, intentId, payer, signature, presentedBy: buyer };
}

/** The order was paid by another transaction: by the same wallet, which has its receipt, or by another one. */
function paidBefore({ merchantId, id: intentId, txSignature, payerAddress }: Intent, payer: string): Outcome {
  if (payer === '' || payer !== payerAddress || txSignature === null)
    throw arrived('This order has already been paid.');
  return { kind: 'paid', merchantId, intentId, payer, signature: txSignature, presentedBy: payer };
}

function stateOf(intent: Intent): string {
  return isCanceled(intent) ? 'canceled' : 'being refunded';
}

const PART = {
  kind: 'refused' as const,
  reason: ERRORS.amount,
  message: 'What is due has changed since this was offered. The payment is counted, and the rest is due.',
  isOfferOver: true,
};

/** The wallet that paid and signed for it; empty if several did, or an on-chain program. */
export async function payerOf(
  { mint }: X402Parts,
  transaction: LandedTransaction,
  payTo: string,
): Promise<string> {
  const { account } = await destinationOf(payTo, mint);
  return signingPayerOf(transaction, account) ?? '';
}

/** The payment was made in time, so its order is dated to that time. */
async function createOrder(parts: X402Parts, landed: LandedPayment, buyer: string): Promise<Intent> {
  const { intentId, reference, transaction, whyTooLate } = landed;
  const sale = await landed.readSold();
  if (await isSpokenFor(parts.db, landed)) throw spokenFor();
  if (!(await isListable(parts, sale, transaction))) throw unlisted();
  if (whyTooLate !== undefined) throw await arrivedFor(parts, sale, transaction, whyTooLate);
  const at = new Date(Math.min(transaction.blockTime.getTime(), parts.clock.now().getTime()));
  try {
    const order = { sale, intentId, reference, payer: buyer, at, isPaid: true };
    const key = landed.keyOf?.(buyer) ?? null;
    const named = key === null ? undefined : await acceptOrder(parts, { ...order, key });
    // Even if another order has the same name, this one is separate: its money has arrived.
    return named?.id === intentId ? named : await acceptOrder(parts, { ...order, key: `offer:${intentId}` });
  } catch (error) {
    if (error instanceof AppError && !PASSING.has(error.code))
      throw await arrivedFor(parts, sale, transaction, 'This can no longer be sold.', error);
    throw error;
  }
}

const PASSING = new Set<AppError['code']>(['SERVICE_UNAVAILABLE', 'IDEMPOTENCY_IN_PROGRESS', 'RATE_LIMITED']);

/** The seller has given the money to another order, or decided about it in another way. */
function isSpokenFor(db: Queryable, { transaction, payTo, intentId }: LandedPayment): Promise<boolean> {
  return isDecidedElsewhere(db, { signature: transaction.signature, destination: payTo, intentId });
}

/** The money is listed before anybody hears that it is. */
async function arrivedFor(
  parts: X402Parts,
  sale: Sale,
  transaction: LandedTransaction,
  why: string,
  cause?: unknown,
): Promise<AppError> {
  await listArrived(parts, sale, transaction);
  return arrived(why, cause);
}

/** The final answer for a payment that arrived and buys nothing. It must never ask for another payment. */
export function arrived(why: string, cause?: unknown): AppError {
  return final(
    `${why} Your payment has arrived and is listed for the seller, who can send it back. Do not pay again.`,
    cause,
  );
}

/** The same for one that has paid the order it was signed for, where there is no receipt to show for it here. */
export function credited(): AppError {
  return final('Your payment has arrived and has paid the order that it names. Do not pay again.');
}

/** The same for one that has paid the order that another offer was for, which has the receipt. */
export function paidElsewhere(): AppError {
  return final(
    'This transaction has paid for something else: show it with the offer that it was signed for. Do not pay again.',
  );
}

function spokenFor(): AppError {
  return final(
    'Your payment has arrived, and the seller has already decided about it. Ask the seller. Do not pay again.',
  );
}

function unlisted(): AppError {
  return final(
    'Your payment has arrived, but it is too old to be listed here. Send the seller its signature and ask for the money back. Do not pay again.',
  );
}

function final(message: string, cause?: unknown): AppError {
  return new AppError('INVALID_STATE', { message, reason: 'arrived', cause });
}
