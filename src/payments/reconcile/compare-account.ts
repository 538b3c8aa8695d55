import type { Snapshot } from '../../chain/nodes/account-snapshots.ts';
import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import type { WatchedAccount } from '../../chain/solana/queries.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import type { Database } from '../../platform/db/database.ts';
import { moves, type Slot } from './balance-line.ts';
import { BooksBeside } from './books-beside.ts';
import { type Gap, gapsAmong, textOfGap } from './gaps.ts';
import { type FinalList, listFinal } from './list-final.ts';
import { type Comparison, compareListed, type Listed, slotsOf } from './listed.ts';
import { proveSlots } from './prove-slots.ts';
import { type Difference, type Findings, noFindings } from './report.ts';
import { OutOfOrder, type SlotWindow, slotWindows, sortedPages } from './slot-windows.ts';

export interface AccountToCompare {
  db: Database;
  node: ChainNode;
  mint: string;
  account: WatchedAccount;
  /** Older blocks are left out. */
  since: Date | undefined;
  /** Fetch every transaction, whatever the balances prove. */
  isEach: boolean;
  /** Number of transactions that are proven at once, at least. */
  atOnce: number;
  /** The account's balance at the end of the node's final history. */
  snapshot(isFresh: boolean): Promise<Snapshot>;
  onTransactions(): void;
}

/**
 * Compares an account's final history with the books: every signature, and what each transaction brought. What the books
 * have is proven by balances, without fetching it: each transaction begins with the balance that the one before it left, from
 * what the account holds now down to the oldest one. What does not join is fetched and compared, one by one. Returns the
 * transactions that differ, by signature.
 */
export async function compareAccount(
  input: AccountToCompare,
  found: Findings,
): Promise<ReadonlyMap<string, SignatureInfo>> {
  const { node, account, mint } = input;
  const destination = { owner: account.destination, mint, account: account.account };
  const begin = (): Comparison => ({
    node,
    destination,
    found: Object.assign(found, noFindings()),
    differing: new Map(),
  });
  const comparison = begin();
  try {
    if (await compareOnce(input, comparison, {})) return comparison.differing;
    // A node that is several machines may have listed less than it held a moment before.
    return await compareAgain(input, begin(), {});
  } catch (error) {
    if (error instanceof OutOfOrder) return compareAgain(input, begin(), { isSorted: true });
    if (!(error instanceof RpcFailure)) throw error;
    found.unreadable.push({ destination: destination.owner, signature: null, problem: error.message });
    return new Map();
  }
}

async function compareAgain(
  input: AccountToCompare,
  comparison: Comparison,
  how: { isSorted?: boolean },
): Promise<ReadonlyMap<string, SignatureInfo>> {
  await compareOnce(input, comparison, { ...how, isFresh: true });
  return comparison.differing;
}

/** Returns false if nothing that the node lists explains what the account holds now. */
async function compareOnce(
  input: AccountToCompare,
  comparison: Comparison,
  { isFresh = false, isSorted = false },
): Promise<boolean> {
  const { node, account, since, db } = input;
  const top = await topOf(input, isFresh);
  const from = since && since > account.watchSince ? since : account.watchSince;
  const list = listFinal(node, account.account, { from, through: top.slot });
  const books = new BooksBeside(db, account.destination, { from: since, outside: list.outside });
  const gaps = new Map<number, Gap>();
  const pages = isSorted ? sortedPages(list.pages()) : list.pages();
  let proven: Proven = { slots: [], top: top.balance, isTop: true };
  let listed: Listed[] = [];
  for await (const window of slotWindows(pages, top.slot)) {
    const { isLast } = window;
    listed.push(...(await books.read(withoutRest(window, list))));
    if (listed.length < input.atOnce && !isLast) continue;
    comparison.found.transactions += listed.length;
    if (listed.length > 0) proven = await proveListed(input, comparison, { listed, isLast, proven, gaps });
    listed = [];
    input.onTransactions();
  }
  conclude(comparison, { list, books, gaps: [...gaps.values()] });
  return ![...gaps.values()].some(({ before }) => before === undefined);
}

/** The end of the final history; without a balance where the node does not tell it. */
async function topOf({ node, snapshot }: AccountToCompare, isFresh: boolean) {
  try {
    return await snapshot(isFresh);
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return { slot: await node.finalSlot(), balance: undefined };
  }
}

/** Below an incomplete list the books may well have more. */
function withoutRest(window: SlotWindow, { problem }: FinalList): SlotWindow {
  const { infos, isLast, through } = window;
  if (!isLast || problem === undefined) return window;
  return { ...window, after: infos.length === 0 ? through : infos.at(-1)!.slot - 1 };
}

/** The last slots that were proven, the first of them by what the chain says; and the balance above that. */
interface Proven {
  slots: Slot<Listed>[];
  top: bigint | undefined;
  /** Nothing has moved the balance since, as far as it was looked at: the top is the end of the history. */
  isTop: boolean;
}

interface ToProve {
  listed: readonly Listed[];
  isLast: boolean;
  proven: Proven;
  gaps: Map<number, Gap>;
}

async function proveListed(
  { isEach }: AccountToCompare,
  comparison: Comparison,
  { listed, isLast, proven, gaps }: ToProve,
): Promise<Proven> {
  const slots = [...proven.slots, ...slotsOf(listed)];
  const { breaks, above, anchor } = await proveSlots({
    ...{ slots, top: proven.top, isLast, isEach },
    compare: (some) => compareListed(comparison, some),
  });
  // The place above the first slot was looked at with the window before.
  const isNew = ({ before }: Gap) => before !== undefined || proven.isTop;
  for (const gap of gapsAmong(slots, breaks).filter(isNew)) gaps.set(gap.after, gap);
  return { slots: slots.slice(anchor), top: above[anchor], isTop: proven.isTop && !slots.some(moves) };
}

/** Adds what only the whole list tells, and puts differences in order: the oldest first, and then what is not on the chain. */
function conclude(
  { found, destination: { owner: destination }, differing }: Comparison,
  { list, books, gaps }: { list: FinalList; books: BooksBeside; gaps: readonly Gap[] },
): void {
  const slotOf = ({ signature }: Difference) => differing.get(signature)!.slot;
  found.differences.sort((a, b) => slotOf(a) - slotOf(b));
  // An entry without a name explains what is missing between its neighbours.
  if (list.unnamedCount === 0)
    for (const gap of gaps) found.unreadable.push({ destination, signature: null, problem: textOfGap(gap) });
  if (list.problem !== undefined)
    found.unreadable.push({ destination, signature: null, problem: list.problem });
  else
    for (const [signature, booked] of books.missing)
      found.differences.push({ destination, signature, booked, onChain: null });
}
