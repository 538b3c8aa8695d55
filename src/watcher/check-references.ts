import type { Database } from '../db/database.ts';
import type { Intent } from '../intents/intent.ts';
import { dueReferenceChecks, scheduleReferenceCheck } from '../intents/reference-checks.ts';
import { settleArrival } from '../settlement/settle-arrival.ts';
import { RpcFailure } from '../solana/rpc.ts';
import { findWatched } from '../solana/watched-account.ts';
import type { ChainNode } from './chain.ts';

/** At most one a second: the accounts are the truth, this only finds what never touched them. */
const AT_ONCE = 1;

/**
 * Looks up intents by their own reference while somebody has their page open, and a few times after: this
 * finds a payment of the wrong token, or to the wrong place.
 */
export async function checkReferences(
  db: Database,
  nodes: readonly ChainNode[],
  mint: string,
  now: Date,
): Promise<void> {
  for (const intent of await dueReferenceChecks(db, now, AT_ONCE)) {
    for (const node of nodes) {
      if (await checkReference(db, node, mint, intent, now)) break;
    }
    await scheduleReferenceCheck(db, intent, now);
  }
}

/** True when the node could be asked about everything that names the intent. */
export async function checkReference(
  db: Database,
  node: ChainNode,
  mint: string,
  intent: Intent,
  now: Date,
): Promise<boolean> {
  try {
    const account = await findWatched(db, intent.destinationAddress);
    if (!account) return true;
    const destination = { owner: account.destination, mint, account: account.account };
    for (const info of await node.signatures(intent.referenceAddress, {})) {
      const { isFinal } = info;
      const transaction = await node.transaction(info.signature, isFinal ? 'finalized' : 'confirmed');
      if (!transaction) return false;
      await db.transaction((tx) =>
        settleArrival(tx, { transaction, destination, merchantId: account.merchantId, isFinal, now }),
      );
    }
    return true;
  } catch (error) {
    if (error instanceof RpcFailure) return false;
    throw error;
  }
}
