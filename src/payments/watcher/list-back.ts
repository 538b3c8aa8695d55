import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import { RpcFailure, RpcNotFound } from '../../chain/solana/rpc-failure.ts';
import type { SignatureInfo, SignatureList } from '../../chain/solana/shapes.ts';

export interface ListBack {
  /** Map that receives the list, for callers that use a part of it when the node fails. */
  into?: Map<string, SignatureInfo>;
  /** Nothing older is needed; a node that does not have it any more lists more. */
  until?: string | undefined;
  /** True if the list goes back far enough, given the oldest of the last page and all so far. */
  isEnough(oldest: SignatureInfo, listed: ReadonlyMap<string, SignatureInfo>): boolean;
  /** Asked before each page but the first: whether to stop here, and go on another time. */
  isOver?(pages: number, listed: ReadonlyMap<string, SignatureInfo>): boolean | Promise<boolean>;
}

export interface ListedBack {
  infos: SignatureInfo[];
  /** Entries that name no transaction. */
  unnamedCount: number;
  /** The node has nothing older, or says so: only its horizon tells whether that is all there was. */
  hasEnded: boolean;
}

/**
 * Lists an account's signatures back in time, page after page. A short page proves nothing: only going back far enough,
 * or nothing more, is the end. A node that drops the signature at which the next page begins, while it is being read, has
 * nothing more.
 */
export async function listBack(node: ChainNode, account: string, how: ListBack): Promise<ListedBack> {
  const listed = how.into ?? new Map<string, SignatureInfo>();
  let unnamedCount = 0;
  let count = 0;
  const ends = (hasEnded: boolean) => ({ infos: [...listed.values()], unnamedCount, hasEnded });
  for await (const { infos, oldest, ...page } of pagesBack(node, account, how.until)) {
    unnamedCount += page.unnamedCount;
    for (const info of infos) listed.set(info.signature, info);
    if (!oldest) break;
    if (how.isEnough(oldest, listed)) return ends(false);
    if (await how.isOver?.(++count, listed)) return ends(false);
  }
  return ends(true);
}

export interface PageBack extends SignatureList {
  /** Undefined on the last page, which names nothing more. */
  oldest: SignatureInfo | undefined;
}

/** The same page by page, until the node has nothing more. */
export async function* pagesBack(
  node: ChainNode,
  account: string,
  until?: string,
): AsyncGenerator<PageBack, void> {
  let before: string | undefined;
  for (;;) {
    const page = await node.signatures(account, { until, before }).catch(nothingMore(before));
    const oldest = oldestFirst(page.infos)[0];
    // It would be listed forever.
    if (oldest && oldest.signature === before) throw new RpcFailure('the node lists the same page again');
    yield { ...page, oldest };
    if (!oldest) return;
    before = oldest.signature;
  }
}

const nothingMore = (before: string | undefined) => (error: unknown) => {
  if (before !== undefined && error instanceof RpcNotFound) return { infos: [], unnamedCount: 0 };
  throw error;
};

/** Nodes promise newest first, within a slot too; some fail to. */
export function oldestFirst(infos: readonly SignatureInfo[]): SignatureInfo[] {
  return infos.toReversed().sort((a, b) => a.slot - b.slot);
}
