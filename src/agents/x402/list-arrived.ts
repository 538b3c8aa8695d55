import { findWatched } from '../../chain/solana/queries.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { Sale } from '../../payments/offers/sale.ts';
import { settleTransfer } from '../../payments/transfers/settle-transfer.ts';
import { listRefuted } from '../../payments/watcher/disagreement-queries.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { destinationOf } from './book-landed.ts';
import type { X402Parts } from './parts.ts';

type Receiver = Pick<Sale, 'merchantId' | 'payTo'>;

/**
 * A client that reports late must not make the watcher read years of a wallet that has other uses: what landed before
 * this, at an address that was not watched then, is not listed.
 */
const REACH_MS = DAY_MS;

/** Watches the address, where nobody may have sold before, from the payment on. False if the watch began after it. */
export async function isListable(
  { db, clock, ensureWatched }: X402Parts,
  { merchantId, payTo }: Receiver,
  { blockTime }: LandedTransaction,
): Promise<boolean> {
  const now = clock.now();
  const isRecent = now.getTime() - blockTime.getTime() <= REACH_MS;
  await ensureWatched(payTo, merchantId, now, isRecent ? blockTime : now);
  const watched = await findWatched(db, payTo);
  return watched !== undefined && watched.watchSince <= blockTime;
}

/** Money that buys nothing is followed to its finality like any other, and listed then. */
export async function listArrived(
  parts: X402Parts,
  receiver: Receiver,
  transaction: LandedTransaction,
): Promise<void> {
  const { db, mint, clock } = parts;
  const { merchantId, payTo } = receiver;
  if (!(await isListable(parts, receiver, transaction))) return;
  if ((await listRefuted(db, payTo, [transaction.signature])).length > 0) return;
  const destination = await destinationOf(payTo, mint);
  const seen = { transaction, destination, merchantId, isFinal: false, now: clock.now() };
  await db.transaction((tx) => settleTransfer(tx, seen));
}
