import { followLine, type Line, type Slot, suspectsAt } from './balance-line.ts';
import type { Listed } from './listed.ts';

export interface SlotsToProve {
  /** Slots, newest first. */
  slots: readonly Slot<Listed>[];
  /** Balance that the account held after them, if it is known. */
  top: bigint | undefined;
  /** Index of the slot whose balances are those of the chain, whatever the books say. */
  anchor: number;
  isEach: boolean;
  /** Fetches transactions and compares them. */
  compare(entries: readonly Listed[]): Promise<void>;
}

/**
 * Fetches what balances cannot prove, the anchor, and then, around each place where balances do not join, ever more until they do.
 * Where they do not although everything next to it was fetched, the node leaves something out.
 */
export async function proveSlots({ slots, top, anchor, isEach, compare }: SlotsToProve): Promise<Line> {
  const isAnchor = (i: number) => i === anchor || (i === 0 && top === undefined);
  const first = slots.flatMap(({ entries }, i) =>
    entries.filter((entry) => !entry.isAsked && (isEach || isAnchor(i) || !entry.isProvable)),
  );
  await compare(first);
  for (let reach = 1; ; reach *= 2) {
    const line = followLine(slots, top);
    const suspects = suspectsAt(slots, line.breaks, reach);
    if (suspects.length === 0) return line;
    await compare(suspects);
  }
}

const ANCHOR_AMONG = 20;

/**
 * The index of the slot at which balances are fetched, among the last ones that with the fewest transactions: what is older is
 * proven from there on.
 */
export function anchorAmong(slots: readonly Slot[]): number {
  let best = slots.length - 1;
  for (let i = best; i >= Math.max(0, slots.length - ANCHOR_AMONG); i--)
    if (slots[i]!.entries.length < slots[best]!.entries.length) best = i;
  return best;
}
