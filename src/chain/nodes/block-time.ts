import type { Rpc } from '../solana/rpc.ts';
import { RpcUnreadable } from '../solana/rpc-failure.ts';
import { blockSeconds } from '../solana/shapes.ts';

/** The slot itself, then its neighbours: a payer is rather believed to be early. Together they span about four seconds. */
const DISTANCES = [0, -1, -2, -3, -4, 1, 2, 3, 4];

/**
 * Finds the time of a block that a node shows without one: what the node says of the slot, or else of the nearest
 * slot that has a time. Throws RpcUnreadable if none has.
 */
export async function findBlockTime(rpc: Rpc, node: number, slot: number): Promise<Date> {
  const time = await firstTime(rpc, node, slot, DISTANCES);
  if (!time) throw new RpcUnreadable('a transaction without a block time, and no slot near it has one');
  return time;
}

/** Behind one address several nodes may answer: the next one may have the slot that the first does not have yet. */
const TWICE_THEN_EARLIER = [0, 0, -1, -2, -3, -4];

/** Finds the time of a slot of which the node has just told something; never a later one. Throws RpcUnreadable if there is none. */
export async function readSlotTime(rpc: Rpc, node: number, slot: number): Promise<Date> {
  const time = await firstTime(rpc, node, slot, TWICE_THEN_EARLIER);
  if (!time) throw new RpcUnreadable(`the node does not say when slot ${slot} was`);
  return time;
}

async function firstTime(
  rpc: Rpc,
  node: number,
  slot: number,
  distances: readonly number[],
): Promise<Date | undefined> {
  for (const distance of distances) {
    const seconds = await askTime(rpc, node, slot + distance);
    if (seconds !== undefined) return new Date(seconds * 1000);
  }
  return undefined;
}

/** Undefined: the slot was skipped, or its time is no longer known. */
async function askTime(rpc: Rpc, node: number, slot: number): Promise<number | undefined> {
  if (slot < 0) return undefined;
  try {
    return await rpc.askNode(node, 'getBlockTime', [slot], (value) =>
      value === null ? undefined : blockSeconds(value),
    );
  } catch (error) {
    if (error instanceof RpcUnreadable) return undefined;
    throw error;
  }
}
