import type { Rpc } from '../../chain/solana/rpc.ts';
import { RpcFailure, RpcRefusal } from '../../chain/solana/rpc-failure.ts';
import { text } from '../../chain/solana/shapes.ts';
import { type Intent, isCanceled, isOffered } from '../../intents/intent.ts';
import { findIntentAnywhere, lockIntent } from '../../intents/queries.ts';
import { acceptOrder, isOfferChanged } from '../../payments/offers/accept-order.ts';
import { giveUpOrder } from '../../payments/offers/release-order-key.ts';
import { dueBaseUnits, notPayable } from '../../payments/public-payments/read-public-intent.ts';
import { requireSuccess } from '../../payments/sponsor/simulate.ts';
import {
  forgetSentPayment,
  maySend,
  noteNotSent,
  noteSentAgain,
  noteSentPayment,
} from '../../payments/watcher/request-payment-check.ts';
import type { Tx } from '../../platform/db/database.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { bookLanded } from '../x402/book-landed.ts';
import { type Outcome, ofPayer } from '../x402/outcome.ts';
import type { OpenSale } from '../x402/place.ts';
import { orderKeyOf } from '../x402/purpose.ts';
import { readLanded } from '../x402/read-landed.ts';
import { paySentBefore } from '../x402/sent-before.ts';
import { findFirst } from '../x402/settle.ts';
import { type Accepted, CHANGED, findPaid, requireStill } from './accepted.ts';
import type { MppParts } from './parts.ts';
import { payPushed } from './pay-pushed.ts';
import { isProblem, type Problem, problem } from './problem.ts';
import { readSelfPaid, type SelfPaid } from './read-self-paid.ts';

/**
 * A payment whose fee the payer pays, sent by us. Its signature is written down first, so that it is found on chain whatever
 * happens then, and no second transaction is sent for the order while this one may land.
 */
export async function paySelfPaid(
  parts: MppParts,
  accepted: Accepted,
  wire: string,
): Promise<Outcome | Problem> {
  const { memo, payTo, amountBaseUnits, place } = accepted;
  const read = await readSelfPaid(wire, { mint: parts.mint, memo, payTo, amountBaseUnits });
  if (isProblem(read)) return read;
  const outcome = await payRead(parts, accepted, read);
  return isProblem(outcome) ? outcome : ofPayer(outcome, place, read.payer);
}

async function payRead(parts: MppParts, accepted: Accepted, read: SelfPaid): Promise<Outcome | Problem> {
  const { payer, signature } = read;
  const paid = await findPaid(parts, accepted);
  // One's own payment that is not final yet is waited for, like the first time.
  if (paid && (paid.signature !== signature || paid.kind === 'refused')) return paid;
  const known = await findIntentAnywhere(parts.db, accepted.intentId);
  if (paid?.kind === 'paid') {
    if (known!.status === 'processing') await sendAgain(parts, accepted, read.wire);
    return { ...paid, payer };
  }
  accepted.caller.requireTurn();
  if (known && (await noteSentAgain(parts.db, known, signature))) return settle(parts, accepted, known, read);
  const open = await requireStillUnlessLanded(parts, accepted, signature);
  if (open === 'landed') return payPushed(parts, accepted, signature);
  if (isProblem(open)) return open;
  const first = known ? undefined : await findEarlier(parts, accepted, open as OpenSale, payer);
  if (first) return first;
  const refused = await findFault(parts, read);
  if (!refused) accepted.caller.requireRoom(payer, sellerOf(open));
  // A wallet may be empty because it has paid this already.
  const before = known ? undefined : await findSentBefore(parts, accepted, open as OpenSale);
  if (before) return before;
  if (refused === 'sent') return payPushed(parts, accepted, signature);
  if (refused) return refused;
  return send(parts, accepted, open, read);
}

async function send(
  parts: MppParts,
  accepted: Accepted,
  open: Intent | OpenSale,
  read: SelfPaid,
): Promise<Outcome | Problem> {
  const { payer, signature } = read;
  const intent = await requireIntent(parts, accepted, open, payer);
  if (isProblem(intent)) return intent;
  if (intent.id !== accepted.intentId) return { kind: 'pending', payer, signature: '' };
  if (accepted.place.kind === 'sale' && isCanceled(intent)) return ENDED;
  const submitted = await submit(parts, intent, signature);
  if (submitted === 'changed') return CHANGED;
  // The same one, sent at the same moment, may have landed meanwhile.
  if (submitted === 'busy')
    return (await findPaid(parts, accepted)) ?? { kind: 'pending', payer, signature: '' };
  return settle(parts, accepted, intent, read);
}

/** An order that has ended accepts no payment, unless it is already on chain. */
async function requireStillUnlessLanded(
  parts: MppParts,
  accepted: Accepted,
  signature: string,
): Promise<Intent | OpenSale | Problem | 'landed'> {
  try {
    const open = await requireStill(parts, accepted);
    return isProblem(open) && (await hasLanded(parts, signature)) ? 'landed' : open;
  } catch (error) {
    if (error instanceof AppError && (await hasLanded(parts, signature))) return 'landed';
    throw error;
  }
}

function hasLanded({ witnesses }: MppParts, signature: string): Promise<boolean> {
  return witnesses.isKnown(signature);
}

/** An earlier payment for the same order or under the same name. */
async function findEarlier(
  parts: MppParts,
  { intentId, settleAt, purpose, place }: Accepted,
  { sale }: OpenSale,
  payer: string,
): Promise<Outcome | undefined> {
  if (place.kind === 'intent') return undefined;
  const key = orderKeyOf(purpose, { payer, intentId });
  return findFirst(parts, { sale, intentId, key, settleAt, payer });
}

async function findSentBefore(
  parts: MppParts,
  { intentId, reference, settleAt, place }: Accepted,
  { sale }: OpenSale,
): Promise<Outcome | undefined> {
  return place.kind === 'intent' ? undefined : paySentBefore(parts, { sale, intentId, reference, settleAt });
}

const sellerOf = (open: Intent | OpenSale) => ('sale' in open ? open.sale : open).merchantId;

/** Sends a transaction that the network may have dropped: sending the same one again lands it once. */
async function sendAgain(parts: MppParts, { caller }: Accepted, wire: string): Promise<void> {
  caller.requireTurn();
  await isRefusedByAll(parts.rpc, wire);
}

async function requireIntent(
  parts: MppParts,
  { place, intentId, reference, purpose, caller }: Accepted,
  open: Intent | OpenSale,
  payer: string,
): Promise<Intent | Problem> {
  if (place.kind === 'intent') return open as Intent;
  const { sale } = open as OpenSale;
  const key = orderKeyOf(purpose, { payer, intentId });
  try {
    return await acceptOrder(parts, { sale, intentId, reference, payer, key, ip: caller.ip });
  } catch (error) {
    if (isOfferChanged(error)) return CHANGED;
    throw error;
  }
}

/** Records the transaction before it is sent, unless the order has ended or changed since the check, or another transaction pays it or might. */
function submit(
  { db, clock }: MppParts,
  intent: Intent,
  signature: string,
): Promise<'noted' | 'changed' | 'busy'> {
  return db.transaction(async (tx) => {
    const locked = (await lockIntent(tx, intent))!;
    if (locked.status === 'processing' || locked.status === 'succeeded') return 'busy';
    if (!isOffered(locked, clock.now())) throw notPayable(locked);
    // A tip, a promotion code or a part payment changed it.
    if (dueBaseUnits(locked) !== dueBaseUnits(intent)) return 'changed';
    if (!(await maySend(tx, intent, signature))) return 'busy';
    await noteSentPayment(tx, intent, signature, clock.now());
    return 'noted';
  });
}

async function settle(
  parts: MppParts,
  accepted: Accepted,
  intent: Intent,
  { payer, signature, wire }: SelfPaid,
): Promise<Outcome | Problem> {
  const { settleAt, intentId } = accepted;
  const isRefused = await isRefusedByAll(parts.rpc, wire);
  // A node refuses a transaction that landed long ago just as it refuses an expired one.
  if (isRefused && !(await hasLanded(parts, signature))) {
    const isAwaited = await giveUp(parts, accepted, intent, (tx) => noteNotSent(tx, intent, signature));
    if (!isAwaited) return NOT_TAKEN;
  }
  const transaction = await readLanded(parts, signature, settleAt, { isSearched: isRefused });
  if (!transaction) return { kind: 'pending', payer, signature };
  if (transaction.hasFailed) {
    await giveUp(parts, accepted, intent, (tx) => forgetSentPayment(tx, intent, signature));
    return problem('verification-failed', 'The transaction failed on chain; nothing was paid.');
  }
  if (!(await bookLanded(parts, intent, transaction))) return { kind: 'pending', payer, signature };
  const { merchantId } = intent;
  return { kind: 'paid', merchantId, intentId, payer, signature };
}

/**
 * Keeps nothing for what cannot land any more; true for what was sent another time too, which is still awaited. If it lands all the
 * same, its money is listed with the order.
 */
function giveUp(
  { db, clock }: MppParts,
  { place }: Accepted,
  intent: Intent,
  note: (tx: Tx) => Promise<boolean>,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockIntent(tx, intent);
    const isAwaited = await note(tx);
    if (!isAwaited && place.kind === 'sale') await giveUpOrder(tx, intent, clock.now());
    return isAwaited;
  });
}

const ENDED = problem('payment-expired', 'This order has ended without its payment. Pay the new offer.');

/**
 * Checks a transaction before anything is written: an order whose payment cannot land is none. One that has landed
 * cannot be sent again.
 */
async function findFault(
  { rpc, witnesses }: MppParts,
  { wire, signature }: SelfPaid,
): Promise<Problem | 'sent' | undefined> {
  try {
    await requireSuccess(rpc, wire);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error;
    if (error.detail?.includes('AlreadyProcessed')) return 'sent';
    return (await witnesses.isKnown(signature)) ? 'sent' : problem('verification-failed', error.message);
  }
}

/** A node that cannot be reached has not refused anything: the outcome is then whatever the network shows. */
async function isRefusedByAll(rpc: Rpc, wire: string): Promise<boolean> {
  const options = { encoding: 'base64', preflightCommitment: 'confirmed' };
  try {
    await rpc.ask('sendTransaction', [wire, options], (value) => text(value, 'signature'));
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    const isSent = /AlreadyProcessed|already been processed/.test(error.message);
    return !isSent && error instanceof RpcRefusal;
  }
  return false;
}

const NOT_TAKEN = problem('verification-failed', 'The network did not take this transaction.');
