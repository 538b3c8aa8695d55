import type { Database } from '../db/database.ts';
import type { Logger } from '../lib/log.ts';
import { listNewestBalances } from '../settlement/arrivals.ts';
import { waitsForReading } from '../settlement/waits-for-reading.ts';
import { RpcFailure } from '../solana/rpc.ts';
import { noteProblem, noteProgress, type WatchedAccount } from '../solana/watched-account.ts';
import type { ChainNode, Horizon } from './chain.ts';
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
  const horizons: Horizon[] = [];
  for (const node of nodes) {
    try {
      const horizon = await readAccount(node, input);
      if (!horizon) continue;
      if (!(await waitsForReading(db, account.destination, horizon.time))) return;
      if (!(await accountsForAll(db, node, account))) continue;
      horizons.push(horizon);
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      log.debug({ destination: account.destination, err: error }, 'an account could not be read');
      await noteProblem(db, account.destination, error.message);
    }
  }
  if (horizons.length < nodes.length) return;
  const readThrough = new Date(Math.min(...horizons.map((horizon) => horizon.time.getTime())));
  await noteProgress(db, account.destination, { cursorSignature: null, cursorSlot: null, readThrough });
}

/** The account holds exactly what it held after the newest transaction we know: nothing was left out. */
async function accountsForAll(db: Database, node: ChainNode, account: WatchedAccount): Promise<boolean> {
  const known = await listNewestBalances(db, account.destination);
  // Before the first transaction of ours there is nothing to compare with.
  return known.length === 0 || known.includes(await node.balance(account.account));
}
