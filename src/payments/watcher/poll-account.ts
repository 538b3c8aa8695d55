import type { Snapshot } from '../../chain/nodes/account-snapshots.ts';
import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import type { Unlisted } from '../../chain/solana/unlisted-queries.ts';
import { noteReadThrough, noteTurn, noteUnlisted } from '../../chain/solana/watched-account.ts';
import { realNow } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { waitsForReading } from '../transfers/waits-for-reading.ts';
import { accountsForAll } from './account-for-all.ts';
import { OVERLAP_MS } from './overlap.ts';
import { countUnreadable, type Unreadable } from './queries.ts';
import { type ReadAccount, readAccount } from './read-account.ts';
import { retryUnreadable, setAsideUnreadable } from './unreadable.ts';

/**
 * One turn of an account: the first readable node settles what is new. If something is due to expire, every node of
 * the quorum is read and its balance compared with the books, and only what enough of them have passed counts as
 * read: a node that leaves out a payment cannot make it expire. Returns whether there is more to read, and why not all
 * of it could be.
 */
export async function pollAccount(input: ReadAccount, log: Logger): Promise<PolledAccount> {
  const { db, account, quorum } = input;
  const { destination } = account;
  if (!input.isHint) await retryUnreadable(input);
  const turn: Turn = {
    unread: new Map(),
    proofs: [],
    problem: undefined,
    unlisted: undefined,
    isListed: false,
    isOver: false,
    hasMore: false,
  };
  // A transaction that one node leaves out of its lists is found when it is another node's turn.
  for (const node of input.isHint ? quorum.counting() : quorum.inTurn(account.account)) {
    await readFrom(node, input, turn);
    if (turn.isOver || turn.hasMore) break;
  }
  await setAsideUnreadable(input, [...turn.unread.values()], log);
  // Only a whole turn may say that nothing came, or that all is well again.
  if (input.isHint) return { hasMore: turn.hasMore, problem: turn.problem };
  if (turn.unlisted && !turn.isListed && !turn.hasMore && (await goOnAfter(input, turn.unlisted, log)))
    return { hasMore: true, problem: turn.problem };
  if (!turn.isOver && !turn.hasMore && quorum.isEnough(turn.proofs.length)) {
    const furthestBehind = turn.proofs.reduce((least, one) => (one.slot < least.slot ? one : least));
    // Each for itself: a node that is behind must not say that its old slot was a late one.
    const time = new Date(Math.min(...turn.proofs.map((one) => one.time.getTime())));
    await noteReadThrough(db, destination, { ...furthestBehind, time });
    turn.problem = undefined;
  }
  const problem = turn.problem ?? null;
  const before = await noteTurn(db, destination, problem, realNow());
  if (problem !== null && before === null)
    log.warn({ destination, problem }, 'account cannot be read; retrying every turn');
  else if (problem === null && before !== null) log.warn({ destination }, 'account can be read again');
  return { hasMore: turn.hasMore, problem: turn.problem };
}

/** Margin after an unlisted time, from which reading continues: a node forgets more between two turns. */
const GO_ON_MS = 2 * OVERLAP_MS;

/**
 * No node lists what nobody has read: that time is noted, for people to see, and reading continues after it. Whether something
 * is missing, the balance will tell. False where the nodes keep so little that there would be no end to it.
 */
async function goOnAfter(
  { db, account, now }: ReadAccount,
  unlisted: Unlisted,
  log: Logger,
): Promise<boolean> {
  const { destination } = account;
  const listedThrough = new Date(unlisted.until.getTime() + GO_ON_MS);
  if (listedThrough > now) return false;
  await noteUnlisted(db, destination, unlisted, listedThrough);
  log.error({ destination, ...unlisted }, 'no node lists this time of the account; it was never read');
  return true;
}

interface PolledAccount {
  hasMore: boolean;
  problem: string | undefined;
}

interface Turn {
  unread: Map<string, Unreadable>;
  /** Balances at nodes for which the books explain everything. */
  proofs: Snapshot[];
  problem: string | undefined;
  /** The least that a node no longer lists of what nobody has read. */
  unlisted: Unlisted | undefined;
  /** A node has listed everything. */
  isListed: boolean;
  /** Nothing depends on the other nodes. */
  isOver: boolean;
  hasMore: boolean;
}

async function readFrom(node: ChainNode, input: ReadAccount, turn: Turn): Promise<void> {
  const { db, account } = input;
  try {
    const { snapshot, gap, unlisted, unread, hasMore } = await readAccount(node, input);
    turn.hasMore = hasMore;
    for (const one of unread) turn.unread.set(one.signature, one);
    turn.problem = gap ?? turn.problem;
    if (unlisted && unlisted.until < (turn.unlisted?.until ?? snapshot.time)) turn.unlisted = unlisted;
    if (gap !== undefined) return;
    turn.isListed = true;
    const isFirst = account.provenSlot === null;
    turn.isOver =
      input.isHint || (!isFirst && !(await waitsForReading(db, account.destination, snapshot.time)));
    if (turn.isOver) {
      turn.problem = undefined;
      return;
    }
    const problem = await unprovenBecause(input, snapshot);
    if (problem === undefined) turn.proofs.push(snapshot);
    else turn.problem = problem;
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    turn.problem = error.message;
  }
}

/** Attempts before a transaction counts as unreadable; until then it may be a temporary fault. */
const SURE_ATTEMPTS = 3;

/**
 * Returns the reason why an account cannot count as read up to the snapshot, though everything listed is read or set
 * aside.
 */
async function unprovenBecause(
  { db, account }: ReadAccount,
  snapshot: Snapshot,
): Promise<string | undefined> {
  const unreadable = await countUnreadable(db, account.destination, SURE_ATTEMPTS);
  // The first read sets the baseline: there is nothing older to compare with.
  const isBlind = account.provenSlot === null && unreadable.all > 0 && snapshot.balance > 0n;
  if (unreadable.young > 0 || isBlind) return `${unreadable.all} transactions could not be read`;
  return (await accountsForAll(db, account, snapshot))
    ? undefined
    : 'the account holds what no transaction we were shown explains';
}
