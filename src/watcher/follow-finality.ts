import type { Database } from '../db/database.ts';
import { findFinalBefore, listPendingArrivals } from '../settlement/arrivals.ts';
import { settleArrival } from '../settlement/settle-arrival.ts';
import { vanishArrival } from '../settlement/vanish-arrival.ts';
import { RpcFailure } from '../solana/rpc.ts';
import { findWatched } from '../solana/watched-account.ts';
import type { ChainNode } from './chain.ts';

interface Pending {
  signature: string;
  destination: string;
  slot: bigint;
}

/** As many as one getSignatureStatuses takes. */
const BATCH = 256;
/** A slot this far below a node's final one is decided there: in its history or dropped for good. */
const DECIDED_SLOTS = 32n;

/**
 * Brings confirmed arrivals to their end: final ones are fetched and measured again before they count; one
 * that every node has dropped is taken back. Answers how many are still under way.
 */
export async function followFinality(
  db: Database,
  nodes: readonly ChainNode[],
  mint: string,
  now: Date,
): Promise<number> {
  const pending = await listPendingArrivals(db, BATCH);
  if (pending.length === 0) return 0;
  const statuses = await firstAnswer(nodes, (node) =>
    node.statuses(pending.map(({ signature }) => signature)),
  );
  let open = 0;
  for (const [i, arrival] of pending.entries()) {
    const status = statuses?.[i];
    const isOver =
      (status === 'finalized' && (await finalize(db, nodes, mint, arrival, now))) ||
      (status === 'unknown' && (await dropIfGone(db, nodes, arrival, now)));
    if (!isOver) open++;
  }
  return open;
}

async function finalize(
  db: Database,
  nodes: readonly ChainNode[],
  mint: string,
  { signature, destination }: Pending,
  now: Date,
) {
  const transaction = await firstAnswer(nodes, (node) => node.transaction(signature, 'finalized'));
  const account = await findWatched(db, destination);
  if (!transaction || !account) return false;
  const place = { owner: destination, mint, account: account.account };
  await db.transaction((tx) =>
    settleArrival(tx, {
      transaction,
      destination: place,
      merchantId: account.merchantId,
      isFinal: true,
      now,
    }),
  );
  return true;
}

/** Gone only when every node says so, each of them past the point where it must know. */
async function dropIfGone(
  db: Database,
  nodes: readonly ChainNode[],
  { signature, destination, slot }: Pending,
  now: Date,
) {
  const known = await findFinalBefore(db, destination, slot);
  for (const node of nodes) {
    try {
      if (BigInt(await node.finalSlot()) < slot + DECIDED_SLOTS) return false;
      const [status, control] = await node.statuses(known ? [signature, known] : [signature]);
      // A node that has forgotten what is final knows nothing about what is gone.
      if (known && control !== 'finalized') return false;
      if (status !== 'unknown' || (await node.transaction(signature, 'confirmed'))) return false;
    } catch (error) {
      if (error instanceof RpcFailure) return false;
      throw error;
    }
  }
  await db.transaction((tx) => vanishArrival(tx, signature, destination, now));
  return true;
}

/** The first node that answers with something; undefined when none does. */
async function firstAnswer<Answer>(
  nodes: readonly ChainNode[],
  ask: (node: ChainNode) => Promise<Answer | null>,
): Promise<Answer | undefined> {
  for (const node of nodes) {
    try {
      const answer = await ask(node);
      if (answer !== null) return answer;
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
    }
  }
  return undefined;
}
