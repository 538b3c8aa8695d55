import { isSignature } from '../../platform/lib/base58.ts';
import { BoundedMap } from '../../platform/lib/bounded-map.ts';
import type { Json } from '../../platform/lib/json.ts';
import type { Rpc } from '../solana/rpc.ts';
import { RpcFailure, RpcNotFound, RpcUnreadable } from '../solana/rpc-failure.ts';
import {
  type Finality,
  integer,
  type SignatureList,
  signatureList,
  signatureStatuses,
} from '../solana/shapes.ts';
import { type LandedTransaction, type ReportedTransaction, readTransaction } from '../solana/transaction.ts';
import { accountSnapshots, type Balances, readBalances, type Snapshot } from './account-snapshots.ts';
import { askInParts } from './ask-in-parts.ts';
import { findBlockTime } from './block-time.ts';

/** Transactions of version 1 are on mainnet; asking for less would make the node refuse them. */
const MAX_VERSION = 1;

/** Questions of the watcher to one node. A node answers only for itself: another may have seen more. */
export interface ChainNode {
  /** Its place in the list of nodes. */
  readonly index: number;
  /** Returns the end of this node's final history, and what the account held there. */
  snapshot(account: string, options?: { fresh?: boolean }): Promise<Snapshot>;
  /** The same without an account, bypassing caches. */
  finalSlot(): Promise<number>;
  /** Returns the number of its newest block; unlike slots, blocks have no gaps. */
  blockHeight(commitment: 'processed' | 'finalized'): Promise<bigint>;
  /** Returns the present balances of many accounts: confirmed, and perhaps not yet final. */
  balances(accounts: readonly string[]): Promise<Balances>;
  /** Returns the beginning of this node's history as of one of its slots; undefined if it does not say. */
  horizon(atSlot: number): Promise<Horizon | undefined>;
  /** Newest first. `until` only spares what is known: a node that no longer has it lists more. RpcNotFound: it does not have `before`. */
  signatures(
    account: string,
    options: { until?: string | undefined; before?: string | undefined },
  ): Promise<SignatureList>;
  /** Null when the node does not have it; RpcUnreadable when it has, in a form that cannot be read. */
  transaction(signature: string, commitment: 'confirmed' | 'finalized'): Promise<LandedTransaction | null>;
  statuses(signatures: readonly string[]): Promise<Finality[]>;
  /** The same of any number of destinations: what the node refuses is in `refused`, and costs the others nothing. */
  statusesOf(signatures: readonly string[]): Promise<Statuses>;
}

export interface Statuses {
  statuses: Map<string, Finality>;
  refused: Map<string, string>;
}

/** The oldest block that a node still has. */
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

const MAX_LOST = 100_000;

function chainNode(rpc: Rpc, node: number): ChainNode {
  /** Signatures at which an account's list was to end and which the node no longer had: the next list is not asked for twice. */
  const lost = new BoundedMap<string, string>(MAX_LOST);
  return {
    index: node,
    snapshot: accountSnapshots(rpc, node),
    balances: (accounts) => readBalances(rpc, node, accounts, 'confirmed'),
    finalSlot: () =>
      rpc.askNode(node, 'getSlot', [{ commitment: 'finalized' }], (value) => integer(value, 'slot')),
    blockHeight: (commitment) =>
      rpc.askNode(node, 'getBlockHeight', [{ commitment }], (value) =>
        BigInt(integer(value, 'block height')),
      ),
    horizon: horizonOf(rpc, node),
    async signatures(account, { until, before }) {
      const list = (filters: { until?: string; before?: string }) => {
        const options = { commitment: 'confirmed', limit: PAGE, ...filters };
        return rpc.askNode(node, 'getSignaturesForAddress', [account, options], signatureList);
      };
      const from = before === undefined ? {} : { before };
      if (until === undefined || lost.get(account) === until) return list(from);
      return list({ until, ...from }).catch((error: unknown) => {
        if (!(error instanceof RpcNotFound)) throw error;
        lost.renew(account, until);
        return list(from);
      });
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
    statuses: (signatures) => askStatuses(rpc, node, signatures, { searchTransactionHistory: true }),
    async statusesOf(signatures) {
      // Most are recent, and a node has those at hand; its history, which costs it and its customers more, has the others.
      const recent = await statusesInParts(rpc, node, signatures, { searchTransactionHistory: false });
      const unknown = signatures.filter((signature) => recent.statuses.get(signature) === 'unknown');
      if (unknown.length === 0) return recent;
      const older = await statusesInParts(rpc, node, unknown, { searchTransactionHistory: true });
      return {
        statuses: new Map([...recent.statuses, ...older.statuses]),
        refused: new Map([...recent.refused, ...older.refused]),
      };
    },
  };
}

interface StatusOptions {
  searchTransactionHistory: boolean;
}

async function statusesInParts(
  rpc: Rpc,
  node: number,
  signatures: readonly string[],
  options: StatusOptions,
): Promise<Statuses> {
  const { answers, refused } = await askInParts(
    signatures,
    isSignature,
    (part) => askStatuses(rpc, node, part, options),
    rpc.mostAtOnce(node, 'getSignatureStatuses'),
  );
  const pairs = answers.flatMap(({ items, answer }) => items.map((one, i) => [one, answer[i]!] as const));
  return { statuses: new Map(pairs), refused };
}

function askStatuses(
  rpc: Rpc,
  node: number,
  signatures: readonly string[],
  options: StatusOptions,
): Promise<Finality[]> {
  return rpc.askNode(node, 'getSignatureStatuses', [signatures, options], (value) =>
    signatureStatuses(value, signatures.length),
  );
}

/** A horizon moves on as the chain does: it is asked again after about a minute of slots. */
const KEEP_HORIZON_SLOTS = 150;

function horizonOf(rpc: Rpc, node: number): ChainNode['horizon'] {
  let kept: { atSlot: number; horizon: Promise<Horizon | undefined> } | undefined;
  return (atSlot) => {
    if (!kept || Math.abs(atSlot - kept.atSlot) >= KEEP_HORIZON_SLOTS)
      kept = { atSlot, horizon: readHorizon(rpc, node) };
    return kept.horizon;
  };
}

/** Undefined where the node does not say: then it is taken to have everything. */
async function readHorizon(rpc: Rpc, node: number): Promise<Horizon | undefined> {
  try {
    const slot = await rpc.askNode(node, 'getFirstAvailableBlock', [], (value) => integer(value, 'slot'));
    return { slot, time: slot === 0 ? new Date(0) : await findBlockTime(rpc, node, slot) };
  } catch (error) {
    if (error instanceof RpcFailure) return undefined;
    throw error;
  }
}

/** The sender decides what is in a transaction, so an odd one is not the node's fault. */
function readReported(signature: string, value: Json): ReportedTransaction | null {
  try {
    return readTransaction(signature, value);
  } catch (error) {
    throw new RpcUnreadable((error as Error).message, { cause: error });
  }
}
