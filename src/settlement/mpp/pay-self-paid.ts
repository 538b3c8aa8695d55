import { type Rpc, RpcFailure, RpcRefusal } from '../../chain/solana/rpc.ts';
import { text } from '../../chain/solana/shapes.ts';
import type { Intent } from '../../money/intents/intent.ts';
import { findIntentAnywhere, lockIntent } from '../../money/intents/queries.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { acceptOrder } from '../offers/accept-order.ts';
import { hasSponsoredUnderWay } from '../sponsor/queries.ts';
import { requireSuccess } from '../sponsor/simulate.ts';
import { listSubmittedSignatures } from '../watcher/queries.ts';
import { noteSentPayment } from '../watcher/request-payment-check.ts';
import { type Outcome, presentedBy } from '../x402/outcome.ts';
import type { OpenSale } from '../x402/place.ts';
import { type Accepted, findPaid, requireStill } from './accepted.ts';
import { bookLanded } from './book-landed.ts';
import type { MppParts } from './parts.ts';
import { payPushed } from './pay-pushed.ts';
import { isProblem, type Problem, problem } from './problem.ts';
import { readLanded } from './read-landed.ts';
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
  const { memo, payTo, amountBaseUnits, intentId } = accepted;
  const read = await readSelfPaid(wire, { mint: parts.mint, memo, payTo, amountBaseUnits });
  if (isProblem(read)) return read;
  const { payer, signature } = read;
  const paid = await findPaid(parts, accepted);
  const isOwn = paid?.signature === signature;
  // One's own payment that is not final yet is waited for, like the first time.
  if (paid && !(isOwn && paid.kind === 'pending'))
    return isOwn ? presentedBy({ ...paid, payer }, payer) : paid;
  accepted.requireCapacity(payer);
  const known = await findIntentAnywhere(parts.db, intentId);
  if (known && (await isSubmitted(parts, known, signature))) return settle(parts, accepted, known, read);
  const open = await requireStill(parts, accepted);
  if (isProblem(open)) return open;
  const refused = await findFault(parts, read);
  if (refused === 'sent') return payPushed(parts, accepted, signature);
  if (refused) return refused;
  const intent = await requireIntent(parts, accepted, open, payer);
  if (!(await submit(parts, intent, signature))) return { kind: 'pending', payer, signature: '' };
  return settle(parts, accepted, intent, read);
}

function requireIntent(
  parts: MppParts,
  { place, intentId, reference }: Accepted,
  open: Intent | OpenSale,
  payer: string,
): Promise<Intent> | Intent {
  if (place.kind === 'intent') return open as Intent;
  const { sale } = open as OpenSale;
  return acceptOrder(parts, { sale, intentId, reference, payer, key: `offer:${intentId}` });
}

async function isSubmitted({ db }: MppParts, intent: Intent, signature: string): Promise<boolean> {
  return (await listSubmittedSignatures(db, intent)).some(
    (each) => each.wasSent && each.signature === signature,
  );
}

/** False where another transaction may already be paying this. */
function submit({ db, clock }: MppParts, intent: Intent, signature: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    const locked = await lockIntent(tx, intent);
    // A tip or a promotion code has changed it since it was checked.
    if (locked?.expectedAmountCents !== intent.expectedAmountCents) return false;
    const submitted = await listSubmittedSignatures(tx, intent);
    if (submitted.some((other) => other.wasSent && other.signature !== signature)) return false;
    if (await hasSponsoredUnderWay(tx, intent)) return false;
    await noteSentPayment(tx, intent, signature, clock.now());
    return true;
  });
}

async function settle(
  parts: MppParts,
  { settleAt, intentId }: Accepted,
  intent: Intent,
  { payer, signature, wire }: SelfPaid,
): Promise<Outcome | Problem> {
  const refused = await send(parts.rpc, wire);
  if (refused) return refused;
  const transaction = await readLanded(parts, signature, settleAt);
  if (!transaction) return { kind: 'pending', payer, signature };
  if (transaction.hasFailed)
    return problem('verification-failed', 'The transaction failed on chain; nothing was paid.');
  if (!(await bookLanded(parts, intent, transaction))) return { kind: 'pending', payer, signature };
  const { merchantId } = intent;
  return { kind: 'paid', merchantId, intentId, payer, signature, presentedBy: payer };
}

/** Before anything is written: an order whose payment cannot land is none. One that has landed cannot be sent again. */
async function findFault(
  { rpc, landings }: MppParts,
  { wire, signature }: SelfPaid,
): Promise<Problem | 'sent' | undefined> {
  try {
    await requireSuccess(rpc, wire);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INVALID_STATE') throw error;
    if (error.detail?.includes('AlreadyProcessed')) return 'sent';
    const landing = await landings.landing(signature, 'confirmed', 0);
    return landing === 'unknown' ? problem('verification-failed', error.message) : 'sent';
  }
}

/** A node that cannot be reached has not refused anything: the outcome is then whatever the network shows. */
async function send(rpc: Rpc, wire: string): Promise<Problem | undefined> {
  const options = { encoding: 'base64', preflightCommitment: 'confirmed' };
  try {
    await rpc.ask('sendTransaction', [wire, options], (value) => text(value, 'signature'));
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    const isSent = /AlreadyProcessed|already been processed/.test(error.message);
    if (!isSent && error instanceof RpcRefusal)
      return problem('verification-failed', 'The network did not take this transaction.');
  }
  return undefined;
}
