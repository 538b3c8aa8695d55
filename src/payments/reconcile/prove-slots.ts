import { followLine, type Line, moves, type Slot, suspectsAt } from './balance-line.ts';
import type { Listed } from './listed.ts';

export interface SlotsToProve {
  /** Slots, newest first. */
  slots: readonly Slot<Listed>[];
  /** Balance that the account held after them, if it is known. */
  top: bigint | undefined;
  /** Nothing older follows. */
  isLast: boolean;
  isEach: boolean;
  /** Fetches transactions and compares them. */
  compare(entries: readonly Listed[]): Promise<void>;
}

export interface ProvenSlots extends Line {
  /** Index of a slot whose balances are those of the chain, whatever the books say: what is older is proven from there on. */
  anchor: number;
}

/**
 * Fetches what balances cannot prove, the anchor, and then, around each place where balances do not join, ever more until they do.
 * The node leaves something out where they do not although everything next to it was fetched.
 */
export async function proveSlots({
  slots,
  top,
  isLast,
  isEach,
  compare,
}: SlotsToProve): Promise<ProvenSlots> {
  const ask = (isMeant: (entry: Listed, at: number) => boolean) =>
    compare(slots.flatMap(({ entries }, at) => entries.filter((one) => !one.isAsked && isMeant(one, at))));
  await ask(({ isProvable }) => isEach || !isProvable);
  const anchor = anchorAmong(slots, isLast);
  await ask((_, at) => at === anchor || (isLast && at > anchor) || (at === 0 && top === undefined));
  for (let reach = 1; ; reach *= 2) {
    const line = followLine(slots, top);
    const suspects = suspectsAt(slots, line.breaks, reach);
    if (suspects.length === 0) return { ...line, anchor };
    await compare(suspects);
  }
}

const ANCHOR_AMONG = 20;

/** Chooses, of the last slots that move something, the one with the fewest transactions; at the end of the history the last one. */
function anchorAmong(slots: readonly Slot[], isLast: boolean): number {
  let best: number | undefined;
  for (let at = slots.length - 1; at >= 0; at--) {
    if (best !== undefined && (isLast || at < slots.length - ANCHOR_AMONG)) break;
    if (!moves(slots[at]!)) continue;
    if (best === undefined || slots[at]!.entries.length < slots[best]!.entries.length) best = at;
  }
  return best ?? (isLast ? 0 : slots.length - 1);
}
