import { type Rpc, RpcFailure, RpcUnreadable } from '../../chain/solana/rpc.ts';
import {
  type Finality,
  integer,
  type SignatureList,
  signatureList,
  signatureStatuses,
} from '../../chain/solana/shapes.ts';
import {
  type LandedTransaction,
  type ReportedTransaction,
  readTransaction,
} from '../../chain/solana/transaction.ts';
import type { Json } from '../../platform/lib/json.ts';
import { accountSnapshots, type Balances, readBalances, type Snapshot } from './account-snapshots.ts';
import { findBlockTime } from './block-time.ts';

/** Transactions of version 1 are on mainnet; asking for less would make the node refuse them. */
const MAX_VERSION = 1;

/** What the watcher asks one node. A node answers for itself: what it has not seen, another may have. */
export interface ChainNode {
  /** Its place in the list of nodes. */
  readonly index: number;
  /** How far this node's final history reaches, and what the account held there. */
  snapshot(account: string, options?: { fresh?: boolean }): Promise<Snapshot>;
  /** The same without an account, bypassing caches. */
  finalSlot(): Promise<number>;
  /** What many accounts hold as of now: confirmed, and perhaps not yet final. */
  balances(accounts: readonly string[]): Promise<Balances>;
  signatures(
    account: string,
    options: { until?: string | undefined; before?: string | undefined },
  ): Promise<SignatureList>;
  /** Null when the node does not have it; RpcUnreadable when it has, in a form that cannot be read. */
  transaction(signature: string, commitment: 'confirmed' | 'finalized'): Promise<LandedTransaction | null>;
  statuses(signatures: readonly string[]): Promise<Finality[]>;
}

export const PAGE = 1_000;

export function chainNodes(rpc: Rpc): ChainNode[] {
  return Array.from({ length: rpc.nodeCount }, (_, node) => chainNode(rpc, node));
}

/** The first node that answers with something; undefined when none does. */
export async function firstAnswer<Answer>(
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

function chainNode(rpc: Rpc, node: number): ChainNode {
  return {
    index: node,
    snapshot: accountSnapshots(rpc, node),
    balances: (accounts) => readBalances(rpc, node, accounts, 'confirmed'),
    finalSlot: () =>
      rpc.askNode(node, 'getSlot', [{ commitment: 'finalized' }], (value) => integer(value, 'slot')),
    signatures(account, { until, before }) {
      const options = {
        commitment: 'confirmed',
        limit: PAGE,
        ...(until && { until }),
        ...(before && { before }),
      };
      return rpc.askNode(node, 'getSignaturesForAddress', [account, options], signatureList);
    },
    async transaction(signature, commitment) {
      const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: MAX_VERSION };
      const shown = await rpc.askNode(node, 'getTransaction', [signature, options], (value) =>
        readReported(signature, value),
      );
      if (shown === null) return null;
      const blockTime = shown.blockTime ?? (await findBlockTime(rpc, node, shown.slot));
      return { ...shown, blockTime };
    },
    statuses(signatures) {
      const options = { searchTransactionHistory: true };
      return rpc.askNode(node, 'getSignatureStatuses', [signatures, options], (value) =>
        signatureStatuses(value, signatures.length),
      );
    },
  };
}

/** The sender decides what is in a transaction, so an odd one is not the node's fault. */
function readReported(signature: string, value: Json): ReportedTransaction | null {
  try {
    return readTransaction(signature, value);
  } catch (error) {
    throw new RpcUnreadable((error as Error).message, { cause: error });
  }
}
