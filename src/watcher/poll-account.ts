import type { Logger } from '../lib/log.ts';
import { waitsForReading } from '../settlement/waits-for-reading.ts';
import { RpcFailure } from '../solana/rpc.ts';
import { noteProblem, noteReadThrough } from '../solana/watched-account.ts';
import { accountsForAll } from './account-for-all.ts';
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
      // Only a whole turn may say that nothing came. The first one says what there was to begin with.
      if (input.isHint) return;
      const isFirst = account.provenSlot === null;
      if (!isFirst && !(await waitsForReading(db, account.destination, snapshot.time))) return;
      if (!(await accountsForAll(db, account, snapshot))) {
        await noteProblem(
          db,
          account.destination,
          'the account holds what no transaction we were shown explains',
        );
        continue;
      }
      snapshots.push(snapshot);
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      log.debug({ destination: account.destination, err: error }, 'an account could not be read');
      await noteProblem(db, account.destination, error.message);
    }
  }
  if (snapshots.length < nodes.length) return;
  const furthestBehind = snapshots.reduce((least, one) => (one.slot < least.slot ? one : least));
  await noteReadThrough(db, account.destination, furthestBehind);
}
