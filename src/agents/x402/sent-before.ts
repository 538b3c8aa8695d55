import { chainNodes, firstAnswer } from '../../chain/nodes/chain-node.ts';
import { associatedAccount } from '../../chain/solana/associated-account.ts';
import { measureReceived } from '../../chain/solana/measure.ts';
import { networkUnavailable } from '../../chain/solana/network-unavailable.ts';
import { orderMemo } from '../../chain/solana/order-memo.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import { array } from '../../chain/solana/shapes.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import { hasAnotherIntent } from '../../intents/queries.ts';
import { amountOf, type PromisedIds, type Sale } from '../../payments/offers/sale.ts';
import { findSponsored } from '../../payments/sponsor/queries.ts';
import { addSeconds } from '../../platform/lib/clock.ts';
import { AppError } from '../../platform/lib/errors.ts';
import { timeOfId } from '../../platform/lib/ids.ts';
import { destinationOf } from './book-landed.ts';
import { bookPayment, payerOf } from './book-payment.ts';
import type { Outcome } from './outcome.ts';
import type { SettleAt, X402Parts } from './parts.ts';
import type { PaymentRead } from './payments-read.ts';
import { listUnclaimed } from './queries.ts';
import { readLanded } from './read-landed.ts';
import { isRecord } from './read-payload.ts';

/** Block times are whole seconds, and lag. */
const BLOCK_TIME_SLACK_SECONDS = 120;

interface Wanted extends PromisedIds {
  sale: Sale;
  settleAt: SettleAt;
}

/** Read in one attempt, and remembered: if there are more that may pay the order, the next attempt reads more. */
const MAX_READ = 20;
const MORE =
  'Many transactions name this order, and not all have been read yet. Try again in a moment; do not pay again.';

/**
 * Looks for a payment before money is taken for an order that has no row yet: a client may have sent it itself and
 * not said so. Then that pays the order, and nothing more is taken.
 */
export async function paySentBefore(parts: X402Parts, wanted: Wanted): Promise<Outcome | undefined> {
  const { sale, intentId, reference, settleAt } = wanted;
  const { payTo } = sale;
  let left = MAX_READ;
  for (const signature of await listCandidates(parts, wanted)) {
    const known = parts.paymentsRead.find(signature, payTo);
    if (known && !isMeant(known, wanted)) continue;
    // It may be this order's money, so nothing is taken until that is known.
    if (left-- === 0) throw new AppError('SERVICE_UNAVAILABLE', { message: MORE, retryAfterSeconds: 1 });
    const shown = await readCandidate(parts, signature);
    const destination = await destinationOf(payTo, parts.mint);
    const received = shown.hasFailed ? 0n : measureReceived(shown, destination);
    if (!isMeant(parts.paymentsRead.note(shown, payTo, received), wanted)) continue;
    if (!(await isForOrder(parts, shown, wanted))) continue;
    const transaction = await readLanded(parts, signature, settleAt);
    const payer = await payerOf(parts, shown, payTo);
    if (!transaction) return { kind: 'pending', payer, signature };
    return bookPayment(parts, { transaction, payTo, readSold: async () => sale, intentId, reference });
  }
  return undefined;
}

async function readCandidate({ rpc }: X402Parts, signature: string): Promise<LandedTransaction> {
  const shown = await firstAnswer(chainNodes(rpc), (node) => node.transaction(signature, 'confirmed'));
  return shown ?? networkUnavailable(new RpcFailure(`${signature} cannot be read`));
}

/** It brought all of the money, and names this order and no other. */
function isMeant(read: PaymentRead, { sale, reference }: Wanted): boolean {
  return read.receivedBaseUnits === amountOf(sale) && read.reference === reference;
}

/** It was not signed here: what we signed pays the order that it was signed for. */
async function isForOrder(
  { db }: X402Parts,
  { signature, accounts }: LandedTransaction,
  { intentId, sale: { payTo } }: Wanted,
): Promise<boolean> {
  return (
    !(await findSponsored(db, signature)) && !(await hasAnotherIntent(db, accounts, { intentId, payTo }))
  );
}

/**
 * Lists transactions that may pay the order: the latest on chain that name it, and older ones that were given to
 * nobody.
 */
async function listCandidates(parts: X402Parts, { sale, intentId, reference }: Wanted): Promise<string[]> {
  const since = addSeconds(timeOfId(intentId), -BLOCK_TIME_SLACK_SECONDS);
  const baseUnits = amountOf(sale);
  const latest = await listLatest(parts, sale.payTo).catch(networkUnavailable);
  const named = latest.filter(({ memo }) => memo.includes(orderMemo(reference)));
  const seen = new Set(latest.map(({ signature }) => signature));
  const older = await listUnclaimed(parts.db, { destination: sale.payTo, baseUnits, since });
  return [...named, ...older.filter(({ signature }) => !seen.has(signature))].map(
    ({ signature }) => signature,
  );
}

/** More than most sellers receive while an offer can be paid. */
const LATEST = 50;

async function listLatest({ rpc, mint }: X402Parts, payTo: string) {
  const params = [await associatedAccount(payTo, mint), { commitment: 'confirmed', limit: LATEST }];
  return rpc.ask('getSignaturesForAddress', params, (answer) =>
    array(answer, 'signatures').flatMap((entry) => {
      if (!isRecord(entry) || typeof entry.signature !== 'string') return [];
      return [{ signature: entry.signature, memo: typeof entry.memo === 'string' ? entry.memo : '' }];
    }),
  );
}
