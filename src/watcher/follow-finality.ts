import type { Database } from '../db/database.ts';
import { findFinalBefore, listPendingArrivals } from '../settlement/arrivals.ts';
import { settleArrivals } from '../settlement/settle-arrivals.ts';
import { vanishArrival } from '../settlement/vanish-arrival.ts';
import { inShareOf } from '../solana/fair-budget.ts';
import { RpcFailure } from '../solana/rpc.ts';
import type { Finality } from '../solana/shapes.ts';
import { findWatched, type WatchedAccount } from '../solana/watched-account.ts';
import { type ChainNode, firstAnswer } from './chain.ts';
import { mapSome } from './map-some.ts';

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
  for (;;) {
    const { looked, groups } = await beginFollowing(db, nodes, mint, now, new Set());
    const over = (await Promise.all(groups)).reduce((sum, count) => sum + count, 0);
    // Where all of the oldest are through, the next ones may be too.
    if (looked < BATCH || over < looked) return looked - over;
  }
}

/**
 * The same without waiting for the end: each destination is followed for itself, so that the slowest holds up none
 * of the others. Those in `busy` are being followed; they are left out, and new ones are added until they are through.
 */
export async function beginFollowing(
  db: Database,
  nodes: readonly ChainNode[],
  mint: string,
  now: Date,
  busy: Set<string>,
): Promise<{ looked: number; groups: Promise<number>[] }> {
  const pending = await listPendingArrivals(db, BATCH, [...busy]);
  if (pending.length === 0) return { looked: 0, groups: [] };
  const statuses = await firstAnswer(nodes, (node) =>
    node.statuses(pending.map(({ signature }) => signature)),
  );
  const withStatus = pending.map((arrival, i) => ({ ...arrival, status: statuses?.[i] }));
  const groups = Map.groupBy(withStatus, ({ destination }) => destination);
  const following = [...groups].map(async ([destination, group]) => {
    busy.add(destination);
    try {
      return await inShareOf(destination, () => followGroup(db, nodes, mint, group, now));
    } finally {
      busy.delete(destination);
    }
  });
  return { looked: pending.length, groups: following };
}

/** Answers how many of them are over. */
async function followGroup(
  db: Database,
  nodes: readonly ChainNode[],
  mint: string,
  pending: readonly (Pending & { status: Finality | undefined })[],
  now: Date,
): Promise<number> {
  const withStatus = (wanted: Finality) => pending.filter(({ status }) => status === wanted);
  let over = await finalize(db, nodes, mint, withStatus('finalized'), now);
  for (const arrival of withStatus('unknown')) if (await dropIfGone(db, nodes, arrival, now)) over++;
  return over;
}

const FETCH_AT_ONCE = 8;

/** Answers how many could be settled for good. */
async function finalize(
  db: Database,
  nodes: readonly ChainNode[],
  mint: string,
  pending: readonly Pending[],
  now: Date,
): Promise<number> {
  const accounts = new Map<string, WatchedAccount | undefined>();
  for (const { destination } of pending)
    if (!accounts.has(destination)) accounts.set(destination, await findWatched(db, destination));
  const transactions = await mapSome(pending, FETCH_AT_ONCE, ({ signature }) =>
    firstAnswer(nodes, (node) => node.transaction(signature, 'finalized')),
  );
  const arrivals = pending.flatMap(({ destination: owner }, i) => {
    const transaction = transactions[i];
    const watched = accounts.get(owner);
    if (!transaction || !watched) return [];
    const { account, merchantId } = watched;
    return [{ transaction, destination: { owner, mint, account }, merchantId, isFinal: true, now }];
  });
  await settleArrivals(db, arrivals);
  return arrivals.length;
}

async function dropIfGone(
  db: Database,
  nodes: readonly ChainNode[],
  { signature, destination, slot }: Pending,
  now: Date,
) {
  const control = await findFinalBefore(db, destination, slot);
  if (!(await isGone(nodes, { signature, slot }, control))) return false;
  await db.transaction((tx) => vanishArrival(tx, signature, destination, now));
  return true;
}

/** Gone only when every node says so, each of them past the point where it must know. */
export async function isGone(
  nodes: readonly ChainNode[],
  { signature, slot }: { signature: string; slot: bigint },
  /** A transaction that is final: a node that has forgotten it knows nothing about what is gone. */
  control: string | undefined,
): Promise<boolean> {
  for (const node of nodes) {
    try {
      if (BigInt(await node.finalSlot()) < slot + DECIDED_SLOTS) return false;
      const [status, known] = await node.statuses(control ? [signature, control] : [signature]);
      if (control && known !== 'finalized') return false;
      if (status !== 'unknown' || (await node.transaction(signature, 'confirmed'))) return false;
    } catch (error) {
      if (error instanceof RpcFailure) return false;
      throw error;
    }
  }
  return true;
}
