import type { SignatureInfo } from '../../chain/solana/shapes.ts';

/** All that a node lists in the slots after one and through another, newest first. */
export interface SlotWindow {
  infos: SignatureInfo[];
  after: number;
  through: number;
  isLast: boolean;
}

/** A node lists something at a place that has been passed: its list has to be sorted first. */
export class OutOfOrder extends Error {}

/**
 * Turns pages, newest first, into windows of whole slots: what shares the last slot of a page waits for the next one. Only a
 * window at a time is in memory.
 */
export async function* slotWindows(
  pages: AsyncIterable<readonly SignatureInfo[]>,
  through: number,
): AsyncGenerator<SlotWindow> {
  let waiting = new Map<string, SignatureInfo>();
  let passed = new Set<string>();
  let end = through;
  for await (const page of pages) {
    for (const info of page) {
      if (info.slot > end && !passed.has(info.signature)) throw new OutOfOrder();
      if (info.slot <= end) waiting.set(info.signature, info);
    }
    if (waiting.size === 0) continue;
    const cut = lowestSlot(waiting);
    const whole = [...waiting.values()].filter(({ slot }) => slot > cut);
    if (whole.length === 0) continue;
    yield { infos: newestFirst(whole), after: cut, through: end, isLast: false };
    passed = new Set(whole.map(({ signature }) => signature));
    waiting = new Map([...waiting].filter(([, { slot }]) => slot === cut));
    end = cut;
  }
  yield { infos: newestFirst([...waiting.values()]), after: -1, through: end, isLast: true };
}

const SORTED_PAGE = 1_000;

/** The same pages in order, held in memory as a whole: for nodes that list in no order. */
export async function* sortedPages(
  pages: AsyncIterable<readonly SignatureInfo[]>,
): AsyncGenerator<readonly SignatureInfo[]> {
  const all = new Map<string, SignatureInfo>();
  for await (const page of pages) for (const info of page) all.set(info.signature, info);
  const sorted = newestFirst([...all.values()]);
  for (let at = 0; at < sorted.length; at += SORTED_PAGE) yield sorted.slice(at, at + SORTED_PAGE);
}

function lowestSlot(infos: ReadonlyMap<string, SignatureInfo>): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const { slot } of infos.values()) lowest = Math.min(lowest, slot);
  return lowest;
}

/** Within a slot as the node lists them. */
function newestFirst(infos: SignatureInfo[]): SignatureInfo[] {
  return infos.sort((a, b) => b.slot - a.slot);
}
