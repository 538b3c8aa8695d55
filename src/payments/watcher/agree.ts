import { createHash } from 'node:crypto';
import { isSameTime } from '../../chain/nodes/is-same-time.ts';
import { payersOf } from '../../chain/solana/find-payer.ts';
import {
  balancesAround,
  type Destination,
  measureReceived,
  movedTokens,
  otherTokensReceived,
} from '../../chain/solana/measure.ts';
import { namedInMemos } from '../../chain/solana/order-memo.ts';
import { toDecimal } from '../../chain/solana/pay-url.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';

/** Answer of one node on whether a transaction is final. */
export type Opinion =
  | { kind: 'shows'; node: number; transaction: LandedTransaction }
  /** It is past the slot and does not have it. Sure: it still knows what came before, so it has not just forgotten. */
  | { kind: 'absent'; node: number; isSure: boolean }
  /** It answers, but has been behind for so long that someone should know. */
  | { kind: 'behind'; node: number; isLong?: boolean }
  /** No usable answer; `counts` until it has been silent for too long. */
  | { kind: 'silent'; node: number; counts: boolean; reason: string };

export interface Rule {
  /** Number of nodes that must agree. */
  quorum: number;
  /** Also when some of them no longer answer. */
  isStrict: boolean;
}

export interface Claim {
  node: number;
  claim: string;
}

export interface Decision {
  outcome: 'final' | 'gone' | 'undecided';
  /** Transaction that the quorum agrees on. */
  transaction?: LandedTransaction;
  /** Outcome in words, to compare claims with. */
  claim?: string;
  /** Every node's claim where they do not fit together; empty where they do. */
  disputed: Claim[];
}

const ABSENT = 'does not have it';
/** Reason that is not a contradiction; it is reported because it blocks everything. */
export const BEHIND = 'is not far enough to say';

/**
 * Decides by quorum. Final: as many nodes as needed show the same, and more than show anything else. Gone: the same
 * for nodes that certainly do not have it; silent nodes, and nodes that are behind, may still have it. Otherwise
 * undecided.
 */
export function decide(opinions: readonly Opinion[], destination: Destination, rule: Rule): Decision {
  const groups = new Map<string, Group>();
  const claims: Claim[] = [];
  for (const opinion of opinions) {
    if (opinion.kind !== 'shows' && opinion.kind !== 'absent') continue;
    const claim = opinion.kind === 'shows' ? joinGroup(groups, opinion.transaction, destination) : ABSENT;
    claims.push({ node: opinion.node, claim });
    const group = groups.get(claim) ?? { nodes: 0, sure: 0 };
    group.nodes++;
    if (opinion.kind === 'absent' && opinion.isSure) group.sure++;
    groups.set(claim, group);
  }
  const counting = opinions.filter((opinion) => opinion.kind !== 'silent' || opinion.counts).length;
  const needed = neededOf(rule, counting);
  const slow = opinions.flatMap((opinion) =>
    opinion.kind === 'behind' && opinion.isLong ? [{ node: opinion.node, claim: BEHIND }] : [],
  );
  const disputed = groups.size > 1 || (claims.length > 0 && slow.length > 0) ? [...claims, ...slow] : [];
  for (const [claim, { nodes, transaction, sure }] of groups) {
    if (transaction && nodes >= needed && nodes > claims.length - nodes)
      return { outcome: 'final', transaction, claim, disputed };
    if (!transaction && sure >= needed && sure > counting - sure) return { outcome: 'gone', claim, disputed };
  }
  return { outcome: 'undecided', disputed };
}

interface Group {
  nodes: number;
  /** Number of nodes without the transaction that are sure of it. */
  sure: number;
  transaction?: LandedTransaction;
}

function joinGroup(groups: Map<string, Group>, transaction: LandedTransaction, destination: Destination) {
  const claim = claimOf(transaction, destination);
  const { blockTime } = transaction;
  const known = groups.get(claim)?.transaction;
  const isNear = !known || isSameTime(known.blockTime, blockTime);
  const name = isNear ? claim : `${claim} at ${blockTime.toISOString()}`;
  if (!groups.has(name)) groups.set(name, { nodes: 0, sure: 0, transaction });
  return name;
}

/** Returns how many nodes must agree. Nodes that stopped counting are not waited for, unless the operator insists. */
export function neededOf({ quorum, isStrict }: Rule, counting: number): number {
  return isStrict ? quorum : Math.max(1, Math.min(quorum, counting));
}

/**
 * Facts that settlement relies on, as a string: equal if two nodes say the same. The raw answers of honest nodes
 * differ in irrelevant details.
 */
export function claimOf(transaction: LandedTransaction, destination: Destination): string {
  const { slot, hasFailed, accounts, signers, transfers, memos } = transaction;
  const { owner, mint } = destination;
  const received = measureReceived(transaction, destination);
  const { balanceBefore, balanceAfter } = balancesAround(transaction, destination);
  const details = [
    slot,
    hasFailed,
    received,
    balanceBefore,
    balanceAfter,
    movedTokens(transaction),
    [...new Set(accounts)].sort(),
    [...signers].sort(),
    namedInMemos(memos).sort(),
    [...payersOf(transaction, { mint, destination: owner })].sort(),
    [...otherTokensReceived(transaction, destination)]
      .map(([mint, { baseUnits, decimals }]) => `${mint} ${baseUnits} ${decimals}`)
      .sort(),
    transfers
      .filter((transfer) => transfer.destination === destination.account)
      .map(
        (transfer) =>
          `${transfer.amount} ${transfer.authority} ${[...new Set(transfer.accounts)].sort().join(' ')}`,
      )
      .sort(),
  ];
  const text = JSON.stringify(details, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  const mark = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const what = hasFailed ? 'a failed transaction' : `${toDecimal(received)} USDC`;
  return `shows ${what} in slot ${slot} (${mark})`;
}
