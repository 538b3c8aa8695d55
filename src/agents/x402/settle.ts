import type { SponsoredTransaction } from '../../chain/fee-payer/read-sponsored.ts';
import { type Intent, isCanceled } from '../../intents/intent.ts';
import { acceptOrder, findIntent, isOfferChanged } from '../../payments/offers/accept-order.ts';
import { findOrderKey, type HeldKey, type OrderKey } from '../../payments/offers/queries.ts';
import { giveUpOrder, releaseOrderKey } from '../../payments/offers/release-order-key.ts';
import { amountOf, type PromisedIds, type Sale } from '../../payments/offers/sale.ts';
import type { Caller } from '../../payments/public-payments/payment-limits.ts';
import { noteFailed } from '../../payments/sponsor/note-confirmed.ts';
import { requireSuccess } from '../../payments/sponsor/simulate.ts';
import { REASONS_OFF, type Via } from '../../payments/sponsor/sponsor.ts';
import { type SignRefusal, sponsorPayment } from '../../payments/sponsor/sponsor-payment.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { awaitOutcome, findPaidOutcome, type Outcome, usedElsewhere } from './outcome.ts';
import type { SettleAt, X402Parts } from './parts.ts';
import { ERRORS, type Refusal } from './protocol.ts';
import { findPayingTransaction, findProjectOfSession } from './queries.ts';
import { paySentBefore } from './sent-before.ts';

/** A transaction that pays what it should, checked. */
export interface Payment {
  /** Protocol of the payment. */
  via: Via;
  transaction: SponsoredTransaction;
  settleAt: SettleAt;
  isSimulated?: boolean;
  /** Counted once the money is there. */
  caller: Caller;
}

/** A payment of something that has no row yet. */
export interface SalePayment extends Payment, PromisedIds {
  sale: Sale;
  /** Another payment under the same key is this one. */
  key: string;
  /** The transaction names the intent, and so pays no other. */
  isBound: boolean;
}

/** Requests that come at the same time decide within seconds who is first; after this nobody is on the way any more. */
const UNDER_WAY_MS = 120_000;
const MAX_TRIES = 3;

/**
 * Writes the order and pays it, once under its key: another transaction for the same order is not signed while the first
 * one has paid or may still pay, and gets the first one's outcome.
 */
export async function paySale(parts: X402Parts, payment: SalePayment): Promise<Outcome> {
  const { db } = parts;
  const { via, sale, transaction, settleAt, caller } = payment;
  const key: OrderKey = { merchantId: sale.merchantId, route: sale.route, key: payment.key };
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const held = await findOrderKey(db, key);
    const first = await settleFirst(parts, payment, held);
    if (first === 'free') {
      if (!(await releaseOrderKey(db, key, held!.intentId, parts.clock.now()))) continue;
    } else if (first) return first;
    const refused = await simulate(parts, transaction);
    if (!refused) caller.requireRoom(transaction.payer, sale.merchantId);
    // A wallet may be empty because it has paid this already.
    const before = payment.isBound && !held ? await paySentBefore(parts, payment) : undefined;
    // A payment that had to wait has lapsed meanwhile.
    if (refused && !before && held)
      await db.transaction((tx) =>
        giveUpOrder(tx, { merchantId: sale.merchantId, id: held.intentId }, parts.clock.now()),
      );
    if (before ?? refused) return (before ?? refused)!;
    const intent = await accept(parts, payment);
    if ('kind' in intent) return intent;
    if (intent.id !== payment.intentId) continue;
    const outcome = await payIntent(parts, intent, {
      ...{ via, transaction, settleAt, caller },
      isSimulated: true,
    });
    // Nothing was signed, so the order is none: it must not keep anything from another buyer. One that only has to wait is paid soon.
    if (outcome.kind === 'refused' && outcome.retrySeconds !== undefined) return outcome;
    if (outcome.kind === 'refused' && outcome.signature === '')
      await releaseOrderKey(db, key, intent.id, parts.clock.now());
    else await giveUpFailed(parts, intent, outcome);
    return outcome;
  }
  throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
}

/** Gives back the place of an order whose payment has failed on chain, or lapsed. */
async function giveUpFailed({ db, clock }: X402Parts, intent: Intent, outcome: Outcome): Promise<void> {
  if (outcome.kind !== 'refused') return;
  const { signature, hasFailed = false } = outcome;
  await db.transaction(async (tx) => {
    if (hasFailed) await noteFailed(tx, signature);
    await giveUpOrder(tx, intent, clock.now());
  });
}

/** Accepts the order; refuses it if the sale has changed since it was read. */
async function accept(parts: X402Parts, payment: SalePayment): Promise<Intent | Outcome> {
  const { transaction } = payment;
  try {
    return await acceptOrder(parts, { ...payment, payer: transaction.payer, ip: payment.caller.ip });
  } catch (error) {
    if (isOfferChanged(error)) return refusedFor(error, transaction);
    throw error;
  }
}

/** Returns the result of an earlier order with the same key or offer; `free` if that order will never be paid. */
async function settleFirst(
  parts: X402Parts,
  { via, sale, intentId, isBound, transaction, settleAt, caller }: SalePayment,
  held: HeldKey | undefined,
): Promise<Outcome | 'free' | undefined> {
  const { db, clock } = parts;
  const { merchantId } = sale;
  const otherwise = isBound ? undefined : await findOtherUse(db, sale, held);
  if (otherwise) return { kind: 'refused', ...otherwise, payer: transaction.payer, signature: '' };
  for (const id of new Set([held?.intentId ?? intentId, intentId])) {
    const first = await findPayingTransaction(db, merchantId, id);
    if (first) return awaitOutcome(parts, first, settleAt);
  }
  if (!held || held.intentId === intentId) return undefined;
  const intent = await findIntent(db, merchantId, held.intentId);
  const paid = intent && (await findPaidOutcome(db, intent, settleAt));
  if (paid) return paid;
  // A transaction that names no order can pay the one of its key.
  if (intent && !isBound) return payIntent(parts, intent, { via, transaction, settleAt, caller });
  if (intent && isCanceled(intent)) return 'free';
  const isUnderWay = clock.now().getTime() - held.createdAt.getTime() < UNDER_WAY_MS;
  return isUnderWay ? { kind: 'pending', payer: transaction.payer, signature: '' } : 'free';
}

/**
 * Returns the reason why a transaction that names no order cannot be the payment of its key: the key's order is for
 * other money. This is checked before its outcome, which would otherwise count as the outcome of something more
 * expensive.
 */
export async function findOtherUse(
  db: Queryable,
  sale: Sale,
  held: HeldKey | undefined,
): Promise<Pick<Refusal, 'reason' | 'message'> | undefined> {
  const { merchantId } = sale;
  const intent = held && (await findIntent(db, merchantId, held.intentId));
  if (!intent) return undefined;
  const isSameAmount = amountOf({ amountCents: intent.expectedAmountCents }) === amountOf(sale);
  const session = await findProjectOfSession(db, merchantId, intent.id);
  const isSameSeller = intent.destinationAddress === sale.payTo && session?.projectId === sale.projectId;
  if (isSameAmount && isSameSeller) return undefined;
  const message = 'This payment identifier was used for another amount or another seller.';
  return { reason: ERRORS.requirements, message };
}

/** The outcome of an earlier order under the same name; undefined where the name is free for this one. */
export async function findFirst(
  parts: X402Parts,
  payment: Pick<SalePayment, 'sale' | 'intentId' | 'key' | 'settleAt'> & { payer: string },
): Promise<Outcome | undefined> {
  const { sale, intentId, key, settleAt, payer } = payment;
  const held: OrderKey = { merchantId: sale.merchantId, route: sale.route, key };
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const first = await findOrderKey(parts.db, held);
    if (!first || first.intentId === intentId) return undefined;
    const outcome = await outcomeOf(parts, sale.merchantId, first, { settleAt, payer });
    if (outcome !== 'free') return outcome;
    await releaseOrderKey(parts.db, held, first.intentId, parts.clock.now());
  }
  throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
}

async function outcomeOf(
  { db, clock, ...parts }: X402Parts,
  merchantId: string,
  { intentId, createdAt }: HeldKey,
  { settleAt, payer }: { settleAt: SettleAt; payer: string },
): Promise<Outcome | 'free'> {
  const paying = await findPayingTransaction(db, merchantId, intentId);
  if (paying) return awaitOutcome({ ...parts, db, clock }, paying, settleAt);
  const intent = await findIntent(db, merchantId, intentId);
  const paid = intent && (await findPaidOutcome(db, intent, settleAt));
  if (paid) return paid;
  if (intent && isCanceled(intent)) return 'free';
  const isUnderWay = clock.now().getTime() - createdAt.getTime() < UNDER_WAY_MS;
  return isUnderWay ? { kind: 'pending', payer, signature: '' } : 'free';
}

/** Pays an intent that exists. Whatever prevents it, an earlier payment of it is what counts. */
export async function payIntent(
  parts: X402Parts,
  intent: Intent,
  { via, transaction, settleAt, caller, isSimulated = false }: Payment,
): Promise<Outcome> {
  const { sponsor, db } = parts;
  if (!sponsor) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 60 });
  try {
    const requireRoom = () => caller.requireRoom(transaction.payer, intent.merchantId);
    const input = { intent, via, transaction, isSimulated, requireRoom };
    const sent = await sponsorPayment({ ...parts, sponsor }, input);
    if (sent.intentId !== intent.id) return usedElsewhere(sent);
    return await awaitOutcome(parts, sent, settleAt);
  } catch (error) {
    if (!(error instanceof AppError) || !isRefusedHere(error)) throw error;
    const first = await findPayingTransaction(db, intent.merchantId, intent.id);
    if (first) return awaitOutcome(parts, first, settleAt);
    const now = await findIntent(db, intent.merchantId, intent.id);
    const paid = now && (await findPaidOutcome(db, now, settleAt));
    return paid ?? refusedFor(error, transaction);
  }
}

/** Nothing was signed, and asking again at once would not help. */
function isRefusedHere({ code, reason }: AppError): boolean {
  return code === 'INVALID_STATE' || (code === 'SERVICE_UNAVAILABLE' && FEES_OFF.has(reason));
}

const FEES_OFF = new Set<string | undefined>(
  REASONS_OFF.filter((reason) => reason !== 'network_unreachable'),
);

/** Simulates the payment before anything is written: an order whose payment cannot land is none. */
async function simulate({ rpc }: X402Parts, transaction: SponsoredTransaction): Promise<Outcome | undefined> {
  try {
    await requireSuccess(rpc, transaction.wire);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error;
    return refusedFor(error, transaction);
  }
}

/**
 * Translates an error into the protocol's words. Anything else under way for the order is waited for: never "not
 * paid".
 */
function refusedFor(error: AppError, { payer }: SponsoredTransaction): Outcome {
  const { reason, message } = error;
  if (reason === 'under_way') return { kind: 'pending', payer, signature: '' };
  const named = REASONS[reason as keyof typeof REASONS] ?? ERRORS.requirements;
  const isOfferOver =
    isOfferChanged(error) || FEES_OFF.has(reason) || reason === 'not_payable' || reason === 'amount_changed';
  const refused = { kind: 'refused' as const, reason: named, message, payer, signature: '', isOfferOver };
  const { code, retryAfterSeconds: retrySeconds } = error;
  return code === 'INVALID_STATE' && retrySeconds !== undefined ? { ...refused, retrySeconds } : refused;
}

const REASONS = {
  simulation: ERRORS.simulation,
  lapsed: ERRORS.failed,
  own_wallet: ERRORS.state,
  wallet_busy: ERRORS.state,
  wallet_failed: ERRORS.state,
  wallet_new: ERRORS.state,
  wallet_short: ERRORS.funds,
} satisfies Partial<Record<SignRefusal | 'simulation', string>>;
