import { associatedAccount } from '../../chain/solana/associated-account.ts';
import { measureReceived } from '../../chain/solana/measure.ts';
import { networkUnavailable } from '../../chain/solana/network-unavailable.ts';
import { namedInMemos, orderMemo } from '../../chain/solana/order-memo.ts';
import { RpcFailure } from '../../chain/solana/rpc.ts';
import { array } from '../../chain/solana/shapes.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import { addSeconds } from '../../platform/lib/clock.ts';
import { timeOfId } from '../../platform/lib/ids.ts';
import { amountOf, type PromisedIds, type Sale } from '../offers/sale.ts';
import { findSponsored } from '../sponsor/queries.ts';
import { chainNodes, firstAnswer } from '../watcher/chain.ts';
import { destinationOf } from './book-landed.ts';
import { bookPayment, payerOf } from './book-payment.ts';
import type { Outcome } from './outcome.ts';
import type { SettleAt, X402Parts } from './parts.ts';
import { hasAnotherIntent, listUnclaimed } from './queries.ts';
import { readLanded } from './read-landed.ts';
import { isRecord } from './read-payload.ts';

/** Block times are whole seconds, and lag. */
const BLOCK_TIME_SLACK_SECONDS = 120;

interface Wanted extends PromisedIds {
  sale: Sale;
  settleAt: SettleAt;
}

/**
 * Before money is taken for an order that has no row yet: a client may have sent it itself and not said so. Then that
 * pays the order, and nothing more is taken.
 */
export async function paySentBefore(parts: X402Parts, wanted: Wanted): Promise<Outcome | undefined> {
  const { sale, intentId, reference, settleAt } = wanted;
  const { payTo } = sale;
  for (const signature of await listCandidates(parts, wanted)) {
    const shown = await firstAnswer(chainNodes(parts.rpc), (node) =>
      node.transaction(signature, 'confirmed'),
    );
    // It may be this order's money, so nothing is taken until that is known.
    if (!shown) throw networkUnavailable(new RpcFailure(`${signature} cannot be read`));
    const destination = await destinationOf(payTo, parts.mint);
    const isWhole = !shown.hasFailed && measureReceived(shown, destination) === amountOf(sale);
    if (!isWhole || !(await isForOrder(parts, shown, wanted))) continue;
    const transaction = await readLanded(parts, signature, settleAt);
    const payer = await payerOf(parts, shown, payTo);
    if (!transaction) return { kind: 'pending', payer, signature };
    return bookPayment(parts, { transaction, payTo, readSold: async () => sale, intentId, reference });
  }
  return undefined;
}

/** It names this order and no other, and was not signed here: what we signed pays the order that it was signed for. */
async function isForOrder(
  { db }: X402Parts,
  { signature, accounts, memos }: LandedTransaction,
  { intentId, reference }: PromisedIds,
): Promise<boolean> {
  const [named, another] = namedInMemos(memos);
  if (named !== reference || another !== undefined) return false;
  return !(await findSponsored(db, signature)) && !(await hasAnotherIntent(db, accounts, intentId));
}

/** What names the order among the latest on chain, and what is older and nobody was given. */
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
