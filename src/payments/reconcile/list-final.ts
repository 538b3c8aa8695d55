import type { ChainNode } from '../../chain/nodes/chain-node.ts';
import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import type { SignatureInfo } from '../../chain/solana/shapes.ts';
import { pagesBack } from '../watcher/list-back.ts';
import { problemOfEnd, unnamedEntries } from './list-problem.ts';

export interface FinalList {
  /** Final transactions of the period, newest first as far as the node keeps to that. It ends early if there is a problem. */
  pages(): AsyncGenerator<readonly SignatureInfo[], void>;
  /** Final transactions that were listed and are no part of the comparison: older than the period, or newer than its last slot. */
  outside: Set<string>;
  /** Number of entries that name no transaction, so far. */
  unnamedCount: number;
  /** Reason why something may be missing, known at the end. */
  problem: string | undefined;
}

/** Lists the final history of an account from a moment on, through a slot, as far as the node does. */
export function listFinal(
  node: ChainNode,
  account: string,
  { from, through }: { from: Date; through: number },
): FinalList {
  const isInPeriod = ({ blockTime }: SignatureInfo) =>
    blockTime === null || blockTime * 1000 >= from.getTime();
  const list: FinalList = { outside: new Set(), unnamedCount: 0, problem: undefined, pages };

  async function* pages() {
    try {
      yield* ahead(listedPages());
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
      list.problem = error.message;
    }
  }

  async function* listedPages(): AsyncGenerator<readonly SignatureInfo[], void> {
    let hasEnded = true;
    for await (const { infos, unnamedCount, oldest } of pagesBack(node, account)) {
      list.unnamedCount += unnamedCount;
      const final = infos.filter(({ isFinal }) => isFinal);
      const page = final.filter((info) => info.slot <= through && isInPeriod(info));
      if (page.length < final.length) {
        const isInside = new Set(page);
        for (const info of final) if (!isInside.has(info)) list.outside.add(info.signature);
      }
      yield page;
      hasEnded = !oldest || isInPeriod(oldest);
      if (!hasEnded) break;
    }
    if (list.unnamedCount > 0) list.problem = unnamedEntries(list.unnamedCount);
    else if (hasEnded) list.problem = await problemOfEnd(node, through, from);
  }

  return list;
}

/** Asks for the next one while the last one is used. */
async function* ahead<Item>(source: AsyncGenerator<Item, void>): AsyncGenerator<Item, void> {
  for (let next = source.next(); ; ) {
    const { value, done } = await next;
    if (done) return;
    next = source.next();
    // It is met in the next turn, if there is one.
    next.catch(() => {});
    yield value;
  }
}
