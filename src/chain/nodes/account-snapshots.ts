import { isSolanaAddress } from '../../platform/lib/base58.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';
import { coalesce } from '../../platform/lib/coalesce.ts';
import type { Json } from '../../platform/lib/json.ts';
import { inShareOf } from '../solana/fair-budget.ts';
import type { Rpc } from '../solana/rpc.ts';
import { RpcFailure } from '../solana/rpc-failure.ts';
import { array, arrayOf, integer, object, text } from '../solana/shapes.ts';
import { askInParts, type InParts } from './ask-in-parts.ts';
import { readSlotTime } from './block-time.ts';

/** Final balance of an account at a slot of one node, and that slot's block time. */
export interface Snapshot {
  slot: number;
  time: Date;
  /** Nothing when the account did not exist. */
  balance: bigint;
}

/** Shared by the accounts that are read in the same few seconds. */
const SHARED_MS = 3_000;
/** An account that was not requested for so long is left out of shared calls. */
const FORGET_MS = 60_000;
/** Maximum of accounts in one getMultipleAccounts call. */
export const MAX_ACCOUNTS = 100;
const MAX_IN_FLIGHT = 4;

interface Wanted {
  account: string;
  fresh: boolean;
}

/**
 * Snapshots of accounts on one node. Two calls serve a hundred accounts: those requested at the same time go together,
 * with those that were requested before. A slightly older answer is fine, because it claims less; `fresh` bypasses it.
 */
export function accountSnapshots(rpc: Rpc, node: number, nowMs: () => number = elapsedMs) {
  const taken = new Map<string, { snapshot: Snapshot; atMs: number }>();
  /** Time of each one's last request; the longest ago comes first. */
  const askedMs = new Map<string, number>();
  /** Reasons why the node says nothing of an account. */
  const refused = new Map<string, string>();
  const take = coalesce(takeTogether, { maxBatch: MAX_ACCOUNTS, maxInFlight: MAX_IN_FLIGHT });

  return async function snapshotOf(account: string, { fresh = false } = {}): Promise<Snapshot> {
    const atMs = nowMs();
    askedMs.delete(account);
    askedMs.set(account, atMs);
    return (fresh ? undefined : recent(account, atMs)) ?? take({ account, fresh });
  };

  function recent(account: string, atMs: number): Snapshot | undefined {
    const known = taken.get(account);
    return known && atMs - known.atMs < SHARED_MS ? known.snapshot : undefined;
  }

  async function takeTogether(wanted: readonly Wanted[]): Promise<(Snapshot | Error)[]> {
    const atMs = nowMs();
    forgetBefore(atMs - FORGET_MS);
    const missing = wanted.filter(({ account, fresh }) => fresh || !recent(account, atMs));
    if (missing.length > 0) {
      const names = new Set(missing.map(({ account }) => account));
      for (const name of askedMs.keys()) {
        if (names.size >= MAX_ACCOUNTS) break;
        if (!recent(name, atMs)) names.add(name);
      }
      for (const name of names) {
        taken.delete(name);
        refused.delete(name);
      }
      // A shared call must not queue among the calls of the one account whose turn it is.
      const fetch = () => fetchSnapshots(rpc, node, [...names]);
      const fetched = await inShareOf('snapshots', fetch, { isUrgent: true });
      for (const [name, snapshot] of fetched.snapshots) taken.set(name, { snapshot, atMs });
      for (const [name, reason] of fetched.refused) refused.set(name, reason);
    }
    return wanted.map(
      ({ account }) =>
        taken.get(account)?.snapshot ??
        new RpcFailure(
          `what the node says of the account cannot be read${refused.has(account) ? `: ${refused.get(account)}` : ''}`,
        ),
    );
  }

  function forgetBefore(beforeMs: number): void {
    for (const [name, ms] of askedMs) {
      if (ms > beforeMs) break;
      askedMs.delete(name);
      taken.delete(name);
      refused.delete(name);
    }
  }
}

async function fetchSnapshots(
  rpc: Rpc,
  node: number,
  accounts: readonly string[],
): Promise<{ snapshots: Map<string, Snapshot>; refused: Map<string, string> }> {
  const { answers, refused } = await askAllBalances(rpc, node, accounts, 'finalized');
  const snapshots = new Map<string, Snapshot>();
  for (const { answer } of answers) {
    const { slot, balances } = answer;
    const time = await readSlotTime(rpc, node, slot);
    for (const [account, balance] of balances) snapshots.set(account, { slot, time, balance });
  }
  return { snapshots, refused };
}

interface PartBalances {
  slot: number;
  balances: Map<string, bigint>;
}

/** Balances of accounts at the slot of the oldest answer; one that cannot be parsed is missing. */
export interface Balances extends PartBalances {
  /** Accounts about which the node says nothing, each with the reason. */
  refused: Map<string, string>;
}

export async function readBalances(
  rpc: Rpc,
  node: number,
  accounts: readonly string[],
  commitment: 'confirmed' | 'finalized',
): Promise<Balances> {
  const { answers, refused } = await askAllBalances(rpc, node, accounts, commitment);
  const slots = answers.map(({ answer }) => answer.slot);
  const balances = new Map(answers.flatMap(({ answer }) => [...answer.balances]));
  const slot =
    slots.length > 0
      ? Math.min(...slots)
      : await rpc.askNode(node, 'getSlot', [{ commitment }], (value) => integer(value, 'slot'));
  return { slot, balances, refused };
}

function askAllBalances(
  rpc: Rpc,
  node: number,
  accounts: readonly string[],
  commitment: 'confirmed' | 'finalized',
): Promise<InParts<PartBalances>> {
  const ask = (part: readonly string[]) => askBalances(rpc, node, part, commitment);
  return askInParts(accounts, isSolanaAddress, ask, rpc.mostAtOnce(node, 'getMultipleAccounts'));
}

async function askBalances(
  rpc: Rpc,
  node: number,
  accounts: readonly string[],
  commitment: 'confirmed' | 'finalized',
): Promise<PartBalances> {
  const options = { commitment, encoding: 'base64' };
  return rpc.askNode(node, 'getMultipleAccounts', [accounts, options], (value) => {
    const answer = object(value, 'accounts');
    const found = arrayOf(accounts.length, answer.value, 'accounts').map(tokenAmount);
    const balances = new Map(
      accounts.flatMap((account, i) => {
        const balance = found[i];
        return balance === undefined ? [] : [[account, balance] as const];
      }),
    );
    return { slot: integer(object(answer.context, 'context').slot, 'slot'), balances };
  });
}

const AMOUNT_AT = 64;

/** Undefined if it cannot be parsed: one odd account must not fail the other ninety-nine. */
function tokenAmount(account: Json): bigint | undefined {
  if (account === null) return 0n;
  try {
    const data = Buffer.from(text(array(object(account, 'account').data, 'data')[0], 'data'), 'base64');
    return data.length < AMOUNT_AT + 8 ? undefined : data.readBigUInt64LE(AMOUNT_AT);
  } catch (error) {
    if (error instanceof RpcFailure) return undefined;
    throw error;
  }
}
