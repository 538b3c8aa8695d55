import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import { balancesAround, type Destination, measureReceived } from '../../chain/solana/measure.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { BookedTransfer } from '../transfers/booked-queries.ts';
import { mapSome } from '../watcher/map-some.ts';
import { fetchTransaction } from '../watcher/read-account.ts';
import type { Entry, Slot, Step } from './balance-line.ts';
import type { Findings } from './report.ts';

/** A transaction that the node lists, and what the books have of it. */
export interface Listed extends Entry {
  info: SignatureInfo;
  booked: BookedTransfer | undefined;
  /** Balances can prove it: the amount in the books is what its balances in the books grew by. */
  isProvable: boolean;
}

export function listedOf(info: SignatureInfo, booked: BookedTransfer | undefined): Listed {
  const step = booked && stepOf(booked);
  const growth = step ? step.after - step.before : 0n;
  const isProvable = step !== undefined && booked!.receivedBaseUnits === (growth > 0n ? growth : 0n);
  return { info, booked, step, isProvable, isAsked: false, isUnread: false };
}

function stepOf({ balanceBefore, balanceAfter }: BookedTransfer): Step | null | undefined {
  if (balanceBefore !== null && balanceAfter !== null) return { before: balanceBefore, after: balanceAfter };
  // It named the account without a token program, so it moved nothing.
  return balanceBefore === balanceAfter ? null : undefined;
}

/** Slots with their transactions, newest first like these. */
export function slotsOf(listed: readonly Listed[]): Slot<Listed>[] {
  return [...Map.groupBy(listed, ({ info }) => info.slot)].map(([slot, entries]) => ({ slot, entries }));
}

/** The comparison of one account with one node. */
export interface Comparison {
  node: ChainNode;
  destination: Destination;
  found: Findings;
  /** Transactions that differ, by signature. */
  differing: Map<string, SignatureInfo>;
}

const FETCH_AT_ONCE = 8;

/** Fetches these transactions and compares each with what the books have of it. */
export async function compareListed(comparison: Comparison, listed: readonly Listed[]): Promise<void> {
  await mapSome(listed, FETCH_AT_ONCE, async (entry) => {
    note(entry, await fetchTransaction(comparison.node, entry.info.signature, 'finalized'), comparison);
  });
}

function note(
  entry: Listed,
  shown: LandedTransaction | string,
  { destination, found, differing }: Comparison,
): void {
  const { signature } = entry.info;
  entry.isAsked = true;
  if (typeof shown === 'string') {
    entry.isUnread = true;
    found.transactions--;
    found.unreadable.push({ destination: destination.owner, signature, problem: shown });
    return;
  }
  found.fetched++;
  const { balanceBefore, balanceAfter } = balancesAround(shown, destination);
  entry.step =
    balanceBefore === null || balanceAfter === null ? null : { before: balanceBefore, after: balanceAfter };
  const onChain = measureReceived(shown, destination);
  const booked = entry.booked?.receivedBaseUnits ?? null;
  if (onChain === (booked ?? 0n)) return;
  differing.set(signature, entry.info);
  found.differences.push({ destination: destination.owner, signature, booked, onChain });
}
