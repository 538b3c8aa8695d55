import type { Database } from '../db/database.ts';
import type { Logger } from '../lib/log.ts';
import { listNewestBalances } from '../settlement/arrivals.ts';
import { waitsForReading } from '../settlement/waits-for-reading.ts';
import { RpcFailure } from '../solana/rpc.ts';
import { noteProblem, noteProgress, type WatchedAccount } from '../solana/watched-account.ts';
import type { Snapshot } from './account-snapshots.ts';
import type { ChainNode } from './chain.ts';
import { type ReadAccount, readAccount } from './read-account.ts';

/**
 * One turn of an account: the first node that can be read settles what is new. Where something waits to
 * expire, every node is read and its balance compared with the books, and only what all of them have passed
 * counts as read: a node that leaves out a payment cannot make it expire.
 */
export async function pollAccount(
  nodes: readonly ChainNode[],
  input: ReadAccount,
  log: Logger,
): Promise<void> {
  const { db, account } = input;
  const snapshots: Snapshot[] = [];
  for (const node of nodes) {
    try {
      const snapshot = await readAccount(node, input);
      if (!snapshot) continue;
      // Only a whole turn may say that nothing came.
      if (input.isHint || !(await waitsForReading(db, account.destination, snapshot.time))) return;
      if (!(await accountsForAll(db, account, snapshot))) continue;
      snapshots.push(snapshot);
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      log.debug({ destination: account.destination, err: error }, 'an account could not be read');
      await noteProblem(db, account.destination, error.message);
    }
  }
  if (snapshots.length < nodes.length) return;
  const readThrough = new Date(Math.min(...snapshots.map((snapshot) => snapshot.time.getTime())));
  await noteProgress(db, account.destination, { cursorSignature: null, cursorSlot: null, readThrough });
}

/** The account held exactly what it held after the newest transaction we know up to there: nothing was left out. */
async function accountsForAll(db: Database, account: WatchedAccount, snapshot: Snapshot): Promise<boolean> {
  const known = await listNewestBalances(db, account.destination, snapshot.slot);
  // Before the first transaction of ours there is nothing to compare with.
  return known.length === 0 || known.includes(snapshot.balance);
}
