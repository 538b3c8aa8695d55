import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';

type Commitment = 'confirmed' | 'finalized';

export type ReadTransaction = (
  node: ChainNode,
  signature: string,
  commitment: Commitment,
) => Promise<LandedTransaction | null>;

export const readTransaction: ReadTransaction = (node, signature, commitment) =>
  node.transaction(signature, commitment);

/**
 * The same of a transaction that the node says it has: asked twice before it does not. Behind one address several nodes may
 * answer, and the first may have been one that is behind.
 */
export const readKnown: ReadTransaction = async (node, signature, commitment) =>
  (await readTransaction(node, signature, commitment)) ?? readTransaction(node, signature, commitment);

/** Asks each node for each transaction once, whatever it answers: for a moment's work on many that share a transaction. */
export function readOnce(): ReadTransaction {
  const asked = new Map<string, Promise<LandedTransaction | null>>();
  return (node, signature, commitment) => {
    const key = `${node.index} ${commitment} ${signature}`;
    const known = asked.get(key);
    if (known) return known;
    const answer = readKnown(node, signature, commitment);
    asked.set(key, answer);
    return answer;
  };
}
