import { inShareOf } from '../../chain/solana/fair-budget.ts';
import { type Rpc, RpcFailure } from '../../chain/solana/rpc.ts';
import { array, blockSeconds, integer, object, text } from '../../chain/solana/shapes.ts';
import { elapsedMs } from '../../platform/lib/clock.ts';
import type { Json } from '../../platform/lib/json.ts';

/** What an account finally held at a slot of one node, and that slot's block time. */
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
/** As many as one getMultipleAccounts takes. */
const MOST = 100;

/**
 * Snapshots of accounts on one node. Two calls serve a hundred accounts: each request includes those that were
 * requested before. A slightly older answer is fine, because it claims less; `fresh` bypasses it.
 */
export function accountSnapshots(rpc: Rpc, node: number, nowMs: () => number = elapsedMs) {
  const taken = new Map<string, { snapshot: Snapshot; atMs: number }>();
  const underWay = new Map<string, Promise<Map<string, Snapshot>>>();
  /** When each was last requested; the longest ago comes first. */
  const askedMs = new Map<string, number>();

  return async function snapshotOf(account: string, { fresh = false } = {}): Promise<Snapshot> {
    const atMs = nowMs();
    askedMs.delete(account);
    askedMs.set(account, atMs);
    const known = recent(account, atMs);
    if (known && !fresh) return known;
    const shared = fresh ? undefined : underWay.get(account);
    const snapshot = (await (shared ?? fetchWithOthers(account, atMs))).get(account);
    if (!snapshot) throw new RpcFailure('what the node says of the account cannot be read');
    return snapshot;
  };

  function recent(account: string, atMs: number): Snapshot | undefined {
    const known = taken.get(account);
    return known && atMs - known.atMs < SHARED_MS ? known.snapshot : undefined;
  }

  async function fetchWithOthers(account: string, atMs: number): Promise<Map<string, Snapshot>> {
    for (const [name, ms] of askedMs) {
      if (atMs - ms < FORGET_MS) break;
      askedMs.delete(name);
      taken.delete(name);
    }
    const others = [...askedMs.keys()].filter(
      (name) => name !== account && !recent(name, atMs) && !underWay.has(name),
    );
    const names = [account, ...others.slice(0, MOST - 1)];
    // A shared call must not queue among the calls of the one account whose turn it is.
    const taking = inShareOf('snapshots', () => fetchSnapshots(rpc, node, names));
    for (const name of names) underWay.set(name, taking);
    try {
      const snapshots = await taking;
      for (const [name, snapshot] of snapshots) taken.set(name, { snapshot, atMs });
      return snapshots;
    } finally {
      for (const name of names) if (underWay.get(name) === taking) underWay.delete(name);
    }
  }
}

async function fetchSnapshots(
  rpc: Rpc,
  node: number,
  accounts: readonly string[],
): Promise<Map<string, Snapshot>> {
  const options = { commitment: 'finalized', encoding: 'base64' };
  const { slot, balances } = await rpc.askNode(node, 'getMultipleAccounts', [accounts, options], (value) => {
    const answer = object(value, 'accounts');
    const found = array(answer.value, 'accounts');
    if (found.length !== accounts.length) throw new RpcFailure('accounts do not match those requested');
    const context = object(answer.context, 'context');
    return { slot: integer(context.slot, 'slot'), balances: found.map(tokenAmount) };
  });
  const seconds = await rpc.askNode(node, 'getBlockTime', [slot], blockSeconds);
  const time = new Date(seconds * 1000);
  return new Map(
    accounts.flatMap((account, i) => {
      const balance = balances[i];
      return balance === undefined ? [] : [[account, { slot, time, balance }] as const];
    }),
  );
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
