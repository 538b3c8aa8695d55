import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_ACCOUNTS } from '../../chain/nodes/account-snapshots.ts';
import { type ChainNode, firstAnswer } from '../../chain/nodes/chain-node.ts';
import { inShareOf } from '../../chain/solana/fair-budget.ts';
import { listWatchedAfter, listWatchedAmong, type WatchedAccount } from '../../chain/solana/queries.ts';
import { countWatched, type SweptThrough } from '../../chain/solana/sweep-queries.ts';
import { noteUnread } from '../../chain/solana/watched-account.ts';
import { listDueDestinations } from '../../intents/queries.ts';
import type { Database } from '../../platform/db/database.ts';
import { realNow } from '../../platform/lib/clock.ts';
import { type KnownBalances, listKnownBalances } from '../transfers/queries.ts';
import { listWaitingDestinations } from '../transfers/session-queries.ts';
import { listDueWatched, listUnreadableDestinations } from './queries.ts';
import type { Quorum } from './quorum.ts';

export interface Sweep {
  db: Database;
  quorum: Quorum;
  /** The service's time. */
  now: Date;
  /** Deadlines up to then need a proof; a little before `now`, because the chain cannot have proven later ones yet. */
  dueBy: Date;
  /** Over how long the calls are spread. */
  pollMs: number;
  signal: AbortSignal;
  /** Sweeps have failed for a while: a fault of the moment must not have a hundred histories read. */
  isLate: boolean;
  /** It holds what the books do not explain. */
  onMoved(account: WatchedAccount): void;
  /** Something waits for the proof that nothing came, or to be looked up again. */
  onDue(account: WatchedAccount): void;
}

/**
 * Shortest time between two calls: at most ten a second, however many accounts there are. The other calls are for
 * what moves.
 */
const LEAST_APART_MS = 100;

/** Returns the time between the calls of a sweep. */
export function apartMs(accounts: number, pollMs: number): number {
  return Math.max(LEAST_APART_MS, (pollMs * MAX_ACCOUNTS) / Math.max(accounts, MAX_ACCOUNTS));
}

/** Returns the length of a sweep. */
export function lastsMs(accounts: number, pollMs: number): number {
  return (apartMs(accounts, pollMs) * accounts) / MAX_ACCOUNTS;
}

/**
 * Looks once at what every watched account holds, a hundred in a call, to find those whose histories are worth reading.
 * A balance that went up and down again between two sweeps goes unnoticed here: notifications, the histories that are
 * read every hour, and the proof before anything expires find it. Returns how far everything was looked at; undefined
 * where something was not.
 */
export async function sweepAccounts(sweep: Sweep): Promise<SweptThrough | undefined> {
  const { db, quorum, now, signal } = sweep;
  const at = realNow();
  const waiting = new Set(await listWaiting(db, now));
  const betweenMs = apartMs(await countWatched(db, now), sweep.pollMs);
  // One node for all, and another the next time: what one of them keeps back, the next one shows.
  const nodes = quorum.inTurn('sweep');
  const looks: Promise<number | undefined>[] = [];
  for (let after = ''; !signal.aborted; ) {
    const page = await listWatchedAfter(db, now, after, MAX_ACCOUNTS);
    if (page.length > 0) {
      const look = lookAt(page, nodes, waiting, sweep);
      // Its failure is met at the end; until then it must not count as unhandled, which would end the process.
      look.catch(() => {});
      looks.push(look);
    }
    if (page.length < MAX_ACCOUNTS) break;
    after = page.at(-1)!.destination;
    await sleep(betweenMs, undefined, { signal, ref: false }).catch(() => {});
  }
  const slots = await Promise.all(looks);
  if (slots.length === 0 || signal.aborted || slots.includes(undefined)) return undefined;
  return { slot: BigInt(Math.min(...slots.map(Number))), at };
}

/** Begins what waits, without looking at the balances: that is asked of the database alone. */
export async function beginWaiting({ db, now, dueBy, onDue }: Sweep): Promise<void> {
  const waiting = new Set([...(await listWaiting(db, now)), ...(await listDueWatched(db, now, dueBy))]);
  if (waiting.size === 0) return;
  for (const account of await listWatchedAmong(db, [...waiting]))
    if (account.watchUntil > now) onDue(account);
}

async function listWaiting(db: Database, now: Date): Promise<string[]> {
  return [...(await listWaitingDestinations(db, now)), ...(await listUnreadableDestinations(db, now))];
}

/** The slot at which they were looked at; undefined when no node answers. */
async function lookAt(
  page: readonly WatchedAccount[],
  nodes: readonly ChainNode[],
  waiting: ReadonlySet<string>,
  { db, dueBy, isLate, onMoved, onDue }: Sweep,
): Promise<number | undefined> {
  const accounts = page.map(({ account }) => account);
  const destinations = page.map(({ destination }) => destination);
  const ask = () => firstAnswer(nodes, (node) => node.balances(accounts));
  const answer = await inShareOf('sweep', async () => (await ask()) ?? ask(), { isUrgent: true });
  const due = new Set(await listDueDestinations(db, destinations, dueBy));
  if (!answer && isLate) await noteUnread(db, destinations, 'no node says what the account holds', realNow());
  for (const { account, destination } of page)
    if (answer?.refused.has(account))
      await noteUnread(db, [destination], answer.refused.get(account)!, realNow());
  const known = answer ? await listKnownBalances(db, destinations, answer.slot) : [];
  const knownOf = new Map(known.map((one) => [one.destination, one]));
  for (const account of page) {
    const { destination } = account;
    const balance = answer?.balances.get(account.account);
    if (answer && !isExplained(account, knownOf.get(destination), { slot: answer.slot, balance }))
      onMoved(account);
    else if (due.has(destination) || waiting.has(destination)) onDue(account);
  }
  return answer?.slot;
}

/** True if an account holds what it held after the newest known transaction, or when the books last agreed with it. */
export function isExplained(
  { provenSlot, provenBalance }: Pick<WatchedAccount, 'provenSlot' | 'provenBalance'>,
  known: Pick<KnownBalances, 'slot' | 'balances'> | undefined,
  { slot, balance }: { slot: number; balance: bigint | undefined },
): boolean {
  if (balance === undefined) return false;
  if (known && (provenSlot === null || known.slot >= provenSlot)) return known.balances.includes(balance);
  // A node that is behind the proof can say nothing about what came after it.
  if (provenSlot !== null && BigInt(slot) < provenSlot) return true;
  return balance === (provenBalance ?? 0n);
}
