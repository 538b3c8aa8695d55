import { MARGIN_BLOCKS } from '../solana/lifetime.ts';
import { RpcFailure } from '../solana/rpc-failure.ts';
import type { ChainNode } from './chain-node.ts';

/** Blocks for which a transaction may land, counted from the one it names. */
const LIFE_BLOCKS = 150n;

/*
 * A transaction lapses with the blocks, not with the clock: on a slow chain its minute takes several. It can no longer
 * land once the block after its last one is final on every node that counts; what none of them has by then never will be
 * there.
 */

/**
 * Returns the block past which nothing that has been signed by now can land; undefined while a node does not say. One that is
 * far from the others tells nonsense, and is left out where most are near each other.
 */
export async function readLapseHeight(nodes: readonly ChainNode[]): Promise<bigint | undefined> {
  const heights = await readHeights(nodes, 'processed');
  const middle = heights?.toSorted((a, b) => Number(a - b))[Math.floor((heights.length - 1) / 2)];
  if (!heights || middle === undefined) return undefined;
  const near = heights.filter((height) => max(height - middle, middle - height) <= LIFE_BLOCKS);
  return 2 * near.length > heights.length ? near.reduce(max) + LIFE_BLOCKS + MARGIN_BLOCKS : undefined;
}

/** Returns the block up to which every node has everything; undefined while a node does not say. */
export async function readFinalHeight(nodes: readonly ChainNode[]): Promise<bigint | undefined> {
  return (await readHeights(nodes, 'finalized'))?.reduce(min);
}

/** Returns those of these that some node has, landed or failed; undefined while a node does not say. */
export async function listFound(
  nodes: readonly ChainNode[],
  signatures: readonly string[],
): Promise<Set<string> | undefined> {
  const found = new Set<string>();
  for (const node of nodes) {
    const answer = await node.statusesOf(signatures).catch(unsaid);
    if (!answer) return undefined;
    for (const [signature, finality] of answer.statuses) if (finality !== 'unknown') found.add(signature);
  }
  return found;
}

async function readHeights(
  nodes: readonly ChainNode[],
  commitment: 'processed' | 'finalized',
): Promise<bigint[] | undefined> {
  const heights: bigint[] = [];
  for (const node of nodes) {
    const height = await node.blockHeight(commitment).catch(unsaid);
    if (height === undefined) return undefined;
    heights.push(height);
  }
  return heights.length > 0 ? heights : undefined;
}

function unsaid(error: unknown): undefined {
  if (error instanceof RpcFailure) return undefined;
  throw error;
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);
const min = (a: bigint, b: bigint) => (a < b ? a : b);
