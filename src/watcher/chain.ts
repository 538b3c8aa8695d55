import { elapsedMs } from '../lib/clock.ts';
import type { Json } from '../lib/json.ts';
import { type Rpc, RpcFailure } from '../solana/rpc.ts';
import {
  array,
  type Finality,
  integer,
  object,
  type SignatureInfo,
  signatureInfos,
  signatureStatuses,
  text,
} from '../solana/shapes.ts';
import { type LandedTransaction, readTransaction } from '../solana/transaction.ts';

/** Transactions of version 1 are on mainnet; asking for less would make the node refuse them. */
const MAX_VERSION = 1;

/** What the watcher asks one node. A node answers for itself: what it has not seen, another may have. */
export interface ChainNode {
  /**
   * How far this node's final history reaches: the slot, and its block time. An answer of a moment ago will do,
   * because it claims less; `fresh` asks anew.
   */
  horizon(options?: { fresh?: boolean }): Promise<Horizon>;
  signatures(
    account: string,
    options: { until?: string | undefined; before?: string | undefined },
  ): Promise<SignatureInfo[]>;
  transaction(signature: string, commitment: 'confirmed' | 'finalized'): Promise<LandedTransaction | null>;
  statuses(signatures: readonly string[]): Promise<Finality[]>;
  /** What the account finally holds; nothing when it does not exist. */
  balance(account: string): Promise<bigint>;
}

export interface Horizon {
  slot: number;
  time: Date;
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

/** Shared by the accounts that are read in the same few seconds. */
const HORIZON_MS = 3_000;

function chainNode(rpc: Rpc, node: number): ChainNode {
  let known: { horizon: Horizon; atMs: number } | undefined;
  return {
    async horizon({ fresh = false } = {}) {
      const atMs = elapsedMs();
      if (!fresh && known && atMs - known.atMs < HORIZON_MS) return known.horizon;
      const slot = await rpc.askNode(node, 'getSlot', [{ commitment: 'finalized' }], (value) =>
        integer(value, 'slot'),
      );
      const seconds = await rpc.askNode(node, 'getBlockTime', [slot], (value) =>
        integer(value, 'block time'),
      );
      const horizon = { slot, time: new Date(seconds * 1000) };
      known = { horizon, atMs };
      return horizon;
    },
    signatures(account, { until, before }) {
      const options = {
        commitment: 'confirmed',
        limit: PAGE,
        ...(until && { until }),
        ...(before && { before }),
      };
      return rpc.askNode(node, 'getSignaturesForAddress', [account, options], signatureInfos);
    },
    transaction(signature, commitment) {
      const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: MAX_VERSION };
      return rpc.askNode(node, 'getTransaction', [signature, options], (value) =>
        readTransaction(signature, value),
      );
    },
    statuses(signatures) {
      const options = { searchTransactionHistory: true };
      return rpc.askNode(node, 'getSignatureStatuses', [signatures, options], (value) =>
        signatureStatuses(value, signatures.length),
      );
    },
    balance(account) {
      const options = { commitment: 'finalized', encoding: 'base64' };
      return rpc.askNode(node, 'getAccountInfo', [account, options], tokenAmount);
    },
  };
}

const AMOUNT_AT = 64;

function tokenAmount(value: Json): bigint {
  const account = object(value, 'account').value;
  if (account === null) return 0n;
  const data = Buffer.from(text(array(object(account, 'account').data, 'data')[0], 'data'), 'base64');
  if (data.length < AMOUNT_AT + 8) throw new RpcFailure('not a token account');
  return data.readBigUInt64LE(AMOUNT_AT);
}
