import type { WatchedAccount } from '../../chain/solana/queries.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import type { Snapshot } from './account-snapshots.ts';
import type { ChainNode } from './chain.ts';

export interface NewSignatures {
  infos: SignatureInfo[];
  /** What keeps the list from being all that happened since the cursor. */
  gap: string | undefined;
}

/** So many pages are listed in one go, and as many more each time all of them are known: a long gap takes several turns. */
const MAX_PAGES = 50;

/**
 * The signatures since the cursor. A node that has lost its memory answers with nothing: where we know of an
 * older transaction, the list must reach back to it, and where we know of none, the account must be empty.
 */
export async function listNew(
  node: ChainNode,
  account: WatchedAccount,
  until: string | undefined,
  snapshot: Snapshot,
  areKnown: (signatures: readonly string[]) => Promise<boolean>,
): Promise<NewSignatures> {
  const { cursorSignature, cursorSlot } = account;
  const listed = new Map<string, SignatureInfo>();
  let unnamed = 0;
  let before: string | undefined;
  for (let page = 0; ; page++) {
    if (page > 0 && page % MAX_PAGES === 0 && !(await areKnown([...listed.keys()]))) break;
    const { infos, unnamedCount } = await node.signatures(account.account, { until, before });
    unnamed += unnamedCount;
    for (const info of infos) listed.set(info.signature, info);
    const oldest = oldestFirst(infos)[0];
    // A short page proves nothing: only reaching what is known, or nothing more, is the end.
    if (!oldest || (cursorSignature !== null && listed.has(cursorSignature)) || reachesBack(oldest, account))
      break;
    before = oldest.signature;
  }
  const sinceMs = account.watchSince.getTime();
  const infos = [...listed.values()].filter(
    (info) =>
      BigInt(info.slot) >= (cursorSlot ?? 0n) - OVERLAP_SLOTS &&
      (info.blockTime === null || info.blockTime * 1000 >= sinceMs),
  );
  const isEmpty = listed.size === 0 && snapshot.balance > 0n;
  return { infos, gap: gapIn(cursorSignature === null ? !isEmpty : listed.has(cursorSignature), unnamed) };
}

function gapIn(reachesBackFar: boolean, unnamed: number): string | undefined {
  if (!reachesBackFar) return 'the list of transactions does not reach back to what is known';
  return unnamed > 0 ? `the node lists ${unnamed} entries that name no transaction` : undefined;
}

/** A node may index late: a little of what was read is read again, and deduplicated by signature. */
export const OVERLAP_SLOTS = 300n;

function reachesBack(oldest: SignatureInfo, { cursorSlot, watchSince }: WatchedAccount): boolean {
  if (oldest.blockTime !== null && oldest.blockTime * 1000 < watchSince.getTime()) return true;
  return cursorSlot !== null && BigInt(oldest.slot) < cursorSlot - OVERLAP_SLOTS;
}

/** Nodes promise newest first, within a slot too; some fail to. */
export function oldestFirst(infos: readonly SignatureInfo[]): SignatureInfo[] {
  return infos.toReversed().sort((a, b) => a.slot - b.slot);
}
