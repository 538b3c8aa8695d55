import type { Destination } from '../../chain/solana/measure.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { ChainNode } from './chain.ts';

/** What nodes are asked about a transaction. */
export interface Question {
  db: Queryable;
  signature: string;
  destination: Destination;
  /** Where it is said to be. */
  slot: bigint;
  /** Who says so, if that is known: asked first. */
  from?: ChainNode;
  now: Date;
}
