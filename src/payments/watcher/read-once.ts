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

/** Asks each node for each transaction once, whatever it answers: for a moment's work on many that share a transaction. */
export function readOnce(): ReadTransaction {
  const asked = new Map<string, Promise<LandedTransaction | null>>();
  return (node, signature, commitment) => {
    const key = `${node.index} ${commitment} ${signature}`;
    const known = asked.get(key);
    if (known) return known;
    const answer = readTransaction(node, signature, commitment);
    asked.set(key, answer);
    return answer;
  };
}
