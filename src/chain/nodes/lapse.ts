import { MARGIN_BLOCKS } from '../solana/lifetime.ts';
import { RpcFailure } from '../solana/rpc-failure.ts';
import type { ChainNode, FinalBlock } from './chain-node.ts';

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
  const heights = await askAll(nodes, (node) => node.blockHeight());
  const middle = heights?.toSorted((a, b) => Number(a - b))[Math.floor((heights.length - 1) / 2)];
  if (!heights || middle === undefined) return undefined;
  const near = heights.filter((height) => max(height - middle, middle - height) <= LIFE_BLOCKS);
  return 2 * near.length > heights.length ? near.reduce(max) + LIFE_BLOCKS + MARGIN_BLOCKS : undefined;
}

/** Returns the block up to which every node has everything; undefined while a node does not say. */
export async function readFinalBlock(nodes: readonly ChainNode[]): Promise<FinalBlock | undefined> {
  const blocks = await askAll(nodes, (node) => node.finalBlock());
  return blocks?.reduce((least, one) => (one.height < least.height ? one : least));
}

/**
 * Returns those of these that some node has, landed or failed; undefined while a node does not say, or answers from before
 * this block: what it does not have then may still be there.
 */
export async function listFound(
  nodes: readonly ChainNode[],
  signatures: readonly string[],
  { slot }: FinalBlock,
): Promise<Set<string> | undefined> {
  const found = new Set<string>();
  for (const node of nodes) {
    const answer = await node.statusesOf(signatures).catch(unsaid);
    if (!answer || answer.slot < slot) return undefined;
    for (const [signature, finality] of answer.statuses) if (finality !== 'unknown') found.add(signature);
  }
  const isConfirmed = await askAll(nodes, (node) => node.confirmNetwork().then(() => true));
  return isConfirmed && found;
}

/** The answer of each; undefined while one does not say. */
async function askAll<Answer>(
  nodes: readonly ChainNode[],
  ask: (node: ChainNode) => Promise<Answer>,
): Promise<Answer[] | undefined> {
  const answers: Answer[] = [];
  for (const node of nodes) {
    const answer = await ask(node).catch(unsaid);
    if (answer === undefined) return undefined;
    answers.push(answer);
  }
  return answers.length > 0 ? answers : undefined;
}

function unsaid(error: unknown): undefined {
  if (error instanceof RpcFailure) return undefined;
  throw error;
}

const max = (a: bigint, b: bigint) => (a > b ? a : b);
