import type { Intent } from '../../intents/intent.ts';
import { findIntent } from '../../payments/offers/accept-order.ts';
import { payerOfCustomer } from '../../payments/offers/sale.ts';
import { noteConfirmed } from '../../payments/sponsor/note-confirmed.ts';
import { findSponsored } from '../../payments/sponsor/queries.ts';
import type { Sponsored } from '../../payments/sponsor/sponsor.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import type { SettleAt, X402Parts } from './parts.ts';
import { ERRORS } from './protocol.ts';
import { findBuyer, findPayingSignature, findPayingTransaction } from './queries.ts';

/** Outcome of a payment, as far as it can be known by now. */
export type Outcome =
  | {
      kind: 'paid';
      merchantId: string;
      intentId: string;
      payer: string;
      signature: string;
      /**
       * Wallet that signed the payment sent here, even if another one paid: only it gets what belongs to the buyer
       * alone. With several wallets, the transaction is named instead.
       */
      presentedBy?: string;
    }
  | {
      kind: 'pending';
      payer: string;
      signature: string;
      /** Time after which a transaction is no longer awaited. */
      decidedAt?: Date;
    }
  | {
      kind: 'refused';
      reason: string;
      message: string;
      payer: string;
      signature: string;
      /** The offer has changed: fees are no longer paid, the order has ended, or its price is different. */
      isOfferOver?: boolean;
      /** The network has taken the transaction, which came to nothing. */
      hasFailed?: boolean;
      /** Nothing is wrong with the payment itself: sent again after so long, it is taken. */
      retrySeconds?: number;
    };

/**
 * Waits until a transaction is as far as wanted. What is not known in time is pending: never "not paid". One that came to
 * nothing says nothing about its order, which another one may have paid.
 */
export async function awaitOutcome(parts: X402Parts, sent: Sponsored, settleAt: SettleAt): Promise<Outcome> {
  const outcome = await awaitOwn(parts, sent, settleAt);
  if (outcome.kind !== 'refused') return outcome;
  const { merchantId, intentId } = sent;
  const other = await findPayingTransaction(parts.db, merchantId, intentId);
  if (other && other.signature !== sent.signature) return awaitOwn(parts, other, settleAt);
  const intent = await findIntent(parts.db, merchantId, intentId);
  const paid = intent && (await findPaidOutcome(parts.db, intent, settleAt));
  // The watcher may have seen this transaction before the network dropped it; that is no payment.
  const isDropped = intent?.status === 'processing' && paid?.signature === sent.signature;
  return paid && !isDropped ? paid : outcome;
}

async function awaitOwn(parts: X402Parts, sent: Sponsored, settleAt: SettleAt): Promise<Outcome> {
  const { merchantId, intentId, payer, signature } = sent;
  const paid: Outcome = { kind: 'paid', merchantId, intentId, payer, signature };
  const untilMs = elapsedMs() + parts.settleWaitMs;
  for (let now: Sponsored | undefined = sent; ; now = await findSponsored(parts.db, signature)) {
    if (now?.state === 'landed') return now.hasFailed ? failed(payer, signature) : paid;
    if (now?.state === 'dropped') return lapsed(payer, signature);
    const leftMs = untilMs - elapsedMs();
    if (leftMs <= 0) return { kind: 'pending', payer, signature };
    const landing = await parts.landings.landing(signature, settleAt, Math.min(leftMs, LOOK_EVERY_MS));
    if (landing === 'failed') return failed(payer, signature);
    if (landing === 'unknown') continue;
    await noteConfirmed(parts.db, signature, parts.clock.now());
    return paid;
  }
}

/** Time between checks for an abandoned transaction. */
const LOOK_EVERY_MS = 1_000;

function lapsed(payer: string, signature: string): Outcome {
  const message = 'The transaction lapsed before the network took it; nothing was paid.';
  return { kind: 'refused', reason: ERRORS.failed, message, payer, signature };
}

function failed(payer: string, signature: string): Outcome {
  const message = 'The transaction failed on chain; nothing was paid.';
  return { kind: 'refused', reason: ERRORS.failed, message, payer, signature, hasFailed: true };
}

export const USED_ALREADY = { reason: ERRORS.duplicate, message: 'This payment has already been used.' };

/** The transaction has already bought something else. */
export function usedElsewhere({ payer }: Pick<Sponsored, 'payer'>): Outcome {
  return { kind: 'refused', ...USED_ALREADY, payer, signature: '' };
}

export function presentedBy(outcome: Outcome, payer: string): Outcome {
  return outcome.kind === 'paid' ? { ...outcome, presentedBy: payer } : outcome;
}

/**
 * Returns the outcome as a wallet may see it. Several wallets can hold one offer: if one has paid it, the others get
 * neither receipt nor goods. A checkout or an intent shows its receipt to everybody who knows it.
 */
export function ofPayer(outcome: Outcome, { kind }: { kind: 'sale' | 'intent' }, payer: string): Outcome {
  const isOfAnother = outcome.kind === 'paid' && (payer === '' || outcome.payer !== payer);
  if (kind === 'intent' || !isOfAnother) return presentedBy(outcome, payer);
  if (outcome.payer === '') throw new AppError('INVALID_STATE', { message: OF_NO_WALLET });
  const message = 'Another wallet has paid this offer. Nothing was taken from this one; pay the new offer.';
  return { kind: 'refused', reason: ERRORS.requirements, message, payer, signature: '' };
}

/** It may be theirs, so nobody is asked to pay again. */
const OF_NO_WALLET =
  'This offer has been paid, but not by a single wallet that signed for it. Do not pay it again: the payer gets the receipt by MPP, for the signature of that transaction.';

/** The outcome of an intent that was paid in another way; pending until that is as final as wanted. */
export async function findPaidOutcome(
  db: Queryable,
  intent: Intent,
  settleAt: SettleAt,
): Promise<Outcome | undefined> {
  const { status, merchantId, id: intentId, txSignature, payerAddress } = intent;
  if (status !== 'processing' && status !== 'succeeded') return undefined;
  // An intent names its transaction once that is final.
  const signature = txSignature ?? (await findPayingSignature(db, intent)) ?? '';
  // An unbooked payment's payer is the wallet that signed for the order.
  const payer = payerAddress ?? payerOfCustomer(await findBuyer(db, intent)) ?? '';
  const isPaid = status === 'succeeded' || settleAt === 'confirmed';
  return isPaid
    ? { kind: 'paid', merchantId, intentId, payer, signature }
    : { kind: 'pending', payer, signature };
}
