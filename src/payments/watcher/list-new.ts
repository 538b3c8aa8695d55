import type { Snapshot } from '../../chain/nodes/account-snapshots.ts';
import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import type { WatchedAccount } from '../../chain/solana/queries.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import type { Unlisted } from '../../chain/solana/unlisted-queries.ts';
import { type ListedBack, listBack } from './list-back.ts';
import { isBefore, OVERLAP_MS, type Overlap } from './overlap.ts';

export interface NewSignatures {
  infos: SignatureInfo[];
  /** Reason why the list may lack something that happened since the cursor. */
  gap: string | undefined;
  /** The same where the node no longer has it: from when until when. */
  unlisted?: Unlisted | undefined;
}

interface ListedAccount {
  account: WatchedAccount;
  /** From where on known transactions are listed again; undefined where none is known. */
  overlap: Overlap | undefined;
  /** A transaction before it, at which the list may end. */
  until: string | undefined;
}

/** Number of pages listed in one go, and again each time all of them are known: a long gap takes several turns. */
const MAX_PAGES = 50;

/**
 * The signatures since the cursor. A node that has lost its memory answers with nothing: where we know of an
 * older transaction, the list must reach back to it, and where we know of none, the account must be empty. One that says
 * from which block on it has everything need not list what is older, if that has been listed before.
 */
export async function listNew(
  node: ChainNode,
  { account, overlap, until }: ListedAccount,
  snapshot: Snapshot,
  areKnown: (signatures: readonly string[]) => Promise<boolean>,
): Promise<NewSignatures> {
  const { cursorSignature } = account;
  const listed = await listBack(node, account.account, {
    until,
    isEnough: (oldest, all) =>
      (cursorSignature !== null && all.has(cursorSignature)) || reachesBack(oldest, account, overlap),
    isOver: async (pages, all) => pages % MAX_PAGES === 0 && !(await areKnown([...all.keys()])),
  });
  const sinceMs = account.watchSince.getTime();
  const infos = listed.infos.filter(
    (info) => !isBefore(info, overlap) && (info.blockTime === null || info.blockTime * 1000 >= sinceMs),
  );
  const { unnamedCount } = listed;
  if (unnamedCount > 0)
    return { infos, gap: `the node lists ${unnamedCount} entries that name no transaction` };
  return { infos, ...(await gapBefore(node, account, listed, snapshot)) };
}

const TOO_SHORT = 'the list of transactions does not reach back to what is known';

/** Returns the reason why a list may lack something since the last complete one. */
async function gapBefore(
  node: ChainNode,
  account: WatchedAccount,
  { infos, hasEnded }: ListedBack,
  snapshot: Snapshot,
): Promise<Pick<NewSignatures, 'gap' | 'unlisted'>> {
  const { cursorSignature, cursorSlot, watchSince } = account;
  if (cursorSignature !== null && infos.some(({ signature }) => signature === cursorSignature))
    return { gap: undefined };
  const isRefuted = cursorSignature === null ? infos.length === 0 && snapshot.balance > 0n : true;
  if (!hasEnded) return { gap: isRefuted ? TOO_SHORT : undefined };
  const horizon = await node.horizon(snapshot.slot);
  // It says that it has what it does not list: another time, or another node, will tell.
  if (!horizon || horizon.slot === 0 || BigInt(horizon.slot) <= (cursorSlot ?? -1n))
    return { gap: isRefuted ? TOO_SHORT : undefined };
  const from = account.listedThrough ?? watchSince;
  if (horizon.time.getTime() <= from.getTime() - OVERLAP_MS || horizon.time <= watchSince)
    return { gap: undefined };
  const unlisted = { from: new Date(Math.max(from.getTime(), watchSince.getTime())), until: horizon.time };
  return {
    gap: `the node has nothing from before ${unlisted.until.toISOString()}, and the history was read until ${unlisted.from.toISOString()}`,
    unlisted,
  };
}

function reachesBack(
  oldest: SignatureInfo,
  { watchSince }: WatchedAccount,
  overlap: Overlap | undefined,
): boolean {
  if (oldest.blockTime !== null && oldest.blockTime * 1000 < watchSince.getTime()) return true;
  return isBefore(oldest, overlap);
}
