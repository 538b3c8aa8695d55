import { associatedAccount } from '../../chain/solana/associated-account.ts';
import type { Destination } from '../../chain/solana/measure.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import { type Intent, isCanceled, isWaiting } from '../../intents/intent.ts';
import { lockIntent } from '../../intents/queries.ts';
import { nameOrderOf } from '../../payments/transfers/change-exception.ts';
import { originOf } from '../../payments/transfers/named-intents.ts';
import { linkException } from '../../payments/transfers/resolve-exception.ts';
import { settleTransfer } from '../../payments/transfers/settle-transfer.ts';
import { listRefuted } from '../../payments/watcher/disagreement-queries.ts';
import type { X402Parts } from './parts.ts';
import { findUnmatched, isAllocated } from './queries.ts';

/**
 * Books a transaction that was read here and checked. It may have landed before its order was written: then the watcher has
 * passed it by, or listed it as unmatched, and it is given to the order now. However often this is called, it counts once.
 * Answers whether it is the order's: a transaction that also names another one pays that, and nothing here.
 */
export async function bookLanded(
  { db, mint, clock }: X402Parts,
  order: Intent,
  transaction: LandedTransaction,
): Promise<boolean> {
  const { merchantId, id, destinationAddress: owner } = order;
  const { signature } = transaction;
  const destination = await destinationOf(owner, mint);
  const now = clock.now();
  if ((await listRefuted(db, owner, [signature])).length > 0) return false;
  return db.transaction(async (tx) => {
    // Settles as seen, not as final: its finality is followed like any other's.
    await settleTransfer(tx, { transaction, destination, merchantId, isFinal: false, now });
    const unmatched = await findUnmatched(tx, merchantId, signature);
    const ref = { merchantId, id };
    const intent = unmatched && (await lockIntent(tx, ref));
    if (unmatched && intent && isCanceled(intent))
      await nameOrderOf(tx, { ...ref, exceptionId: unmatched.id });
    if (!intent || !isWaiting(intent, transaction.blockTime)) return isAllocated(tx, order, signature);
    const origin = originOf(transaction, destination, intent, undefined);
    const resolve = { merchantId, exceptionId: unmatched.id, actor: 'chain', now };
    await linkException(tx, { ...resolve, origin, paidAt: transaction.blockTime }, id);
    return isAllocated(tx, order, signature);
  });
}

export async function destinationOf(owner: string, mint: string): Promise<Destination> {
  return { owner, mint, account: await associatedAccount(owner, mint) };
}
