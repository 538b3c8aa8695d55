/** An account's balance around a transaction. */
export interface Step {
  before: bigint;
  after: bigint;
}

export interface Entry {
  /** Null if it left the balance alone; undefined if that is not known. */
  step: Step | null | undefined;
  /** The step is what the chain says, or the chain was asked and did not answer. */
  isAsked: boolean;
  /** The chain was asked and did not answer. */
  isUnread: boolean;
}

/** The transactions of one slot, in any order. */
export interface Slot<One extends Entry = Entry> {
  slot: number;
  entries: One[];
}

/** A place where balances do not join: above the slot of this index, and below the one before it. */
export interface Break {
  at: number;
  /** Balance below the break, and above it; undefined if one of them is not known. */
  below: bigint | undefined;
  above: bigint | undefined;
}

export interface Line {
  breaks: Break[];
  /** Balance above each slot, as far as it is known. */
  above: (bigint | undefined)[];
}

/**
 * Finds where balances do not join: every transaction begins with the balance that the one before it left. The slots are newest
 * first; `top` is what the account held after them, if that is known. Within a slot any order will do.
 */
export function followLine(slots: readonly Slot[], top: bigint | undefined): Line {
  const line: Line = { breaks: [], above: [] };
  let above = top;
  for (const [at, { entries }] of slots.entries()) {
    const { end, start, isKnown } = spanOf(entries, above);
    // Two slots prove each other only if both balances between them are known.
    const isJoined = isKnown && (above === undefined ? at === 0 : end === above);
    if (!isJoined) line.breaks.push({ at, below: end, above });
    line.above.push(above);
    above = start;
  }
  return line;
}

/** The balance before and after a slot; `end` is the one it is to end with. */
function spanOf(entries: readonly Entry[], end: bigint | undefined) {
  const nothing = { end: undefined, start: undefined, isKnown: false };
  const steps: Step[] = [];
  for (const { step } of entries) {
    if (step === undefined) return nothing;
    if (step !== null) steps.push(step);
  }
  if (steps.length === 0) return { end, start: end, isKnown: true };
  const starts = new Map<bigint, number>();
  const add = (balance: bigint, count: number) => starts.set(balance, (starts.get(balance) ?? 0) + count);
  for (const { before, after } of steps) {
    add(before, 1);
    add(after, -1);
  }
  const left = [...starts].filter(([, count]) => count !== 0);
  // All that is left of a line is its two ends, and nothing if it ends where it began.
  if (left.length === 0) {
    const isOnLine = end !== undefined && steps.some(({ after }) => after === end);
    return isOnLine ? { end, start: end, isKnown: true } : nothing;
  }
  const first = left.find(([, count]) => count === 1)?.[0];
  const last = left.find(([, count]) => count === -1)?.[0];
  if (left.length !== 2 || first === undefined || last === undefined) return nothing;
  return { end: last, start: first, isKnown: true };
}

/** The slots that meet at a break, and those between them, which left the balance alone. */
export function slotsAt<One extends Entry>(slots: readonly Slot<One>[], { at }: Break): readonly Slot<One>[] {
  return slots.slice(nextAbove(slots, at), at + 1);
}

/** True unless everything in it has left the balance alone. */
export function moves({ entries }: Slot): boolean {
  return entries.some(({ step }) => step !== null);
}

function nextAbove(slots: readonly Slot[], at: number): number {
  let above = at - 1;
  while (above > 0 && !moves(slots[above]!)) above--;
  return Math.max(0, above);
}

/**
 * Lists what the chain has to be asked about next: around each break, `reach` slots to either side. Nothing where the chain has
 * been asked about everything that meets there.
 */
export function suspectsAt<One extends Entry>(
  slots: readonly Slot<One>[],
  breaks: readonly Break[],
  reach: number,
): One[] {
  const suspects = new Set<One>();
  for (const each of breaks) {
    if (slotsAt(slots, each).every(({ entries }) => entries.every(({ isAsked }) => isAsked))) continue;
    const from = Math.max(0, nextAbove(slots, each.at) - reach + 1);
    for (const { entries } of slots.slice(from, each.at + reach))
      for (const entry of entries) if (!entry.isAsked) suspects.add(entry);
  }
  return [...suspects];
}
