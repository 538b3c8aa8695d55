import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import type { Destination } from '../../chain/solana/measure.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { ReadTransaction } from './read-once.ts';

/** Question to nodes about a transaction. */
export interface Question {
  db: Queryable;
  signature: string;
  destination: Destination;
  /** Slot that it is said to be in. */
  slot: bigint;
  /** The node that claims it, if known: it is asked first. */
  from?: ChainNode;
  /** Nobody has listed its time before: a node that has forgotten it meanwhile cannot be asked. */
  isUnlisted?: boolean;
  /** Function that reads it from a node, if several questions share the answer. */
  read?: ReadTransaction;
  now: Date;
}
