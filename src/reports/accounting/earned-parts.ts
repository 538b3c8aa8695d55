import type { Cents } from '../../platform/lib/money.ts';
import type { NoteOfIntent } from './earned-queries.ts';

export interface EarnedPart {
  netCents: Cents;
  taxCents: Cents;
}

/**
 * Returns the part of each credit note that takes back revenue. The rest returns money that bought nothing, which was
 * never revenue: money paid beyond the price, or for an order that was not completed. With tax the note itself has
 * the part; without, the same rules apply as there.
 */
export function earnedParts(notes: readonly NoteOfIntent[]): Map<string, EarnedPart> {
  const parts = new Map<string, EarnedPart>();
  const taken = new Map<string, { earned: Cents; beyond: Cents }>();
  for (const note of notes) {
    const before = taken.get(note.intentId) ?? { earned: 0n, beyond: 0n };
    const part = partOf(note, before);
    const earned = part.netCents + part.taxCents;
    taken.set(note.intentId, {
      earned: before.earned + earned,
      beyond: before.beyond + (isOfOtherMoney(note) ? 0n : note.amountCents - earned),
    });
    parts.set(note.id, part);
  }
  return parts;
}

function partOf(note: NoteOfIntent, taken: { earned: Cents; beyond: Cents }): EarnedPart {
  const nothing = { netCents: 0n, taxCents: 0n };
  if (!note.isEarned || isOfOtherMoney(note) || note.exceptionKind === 'surplus') return nothing;
  if (note.isTaxed) return { netCents: note.sharedNetCents, taxCents: note.sharedTaxCents };
  const surplus = note.receivedCents - note.payableCents - taken.beyond;
  const beyond = note.isOverpaid ? within(surplus, note.amountCents) : 0n;
  return { netCents: within(note.earnedCents - taken.earned, note.amountCents - beyond), taxCents: 0n };
}

/** Money that named the intent and was never its own. */
function isOfOtherMoney({ exceptionKind }: NoteOfIntent): boolean {
  return exceptionKind !== null && !['surplus', 'duplicate_order', 'stray'].includes(exceptionKind);
}

function within(cents: Cents, most: Cents): Cents {
  if (cents <= 0n) return 0n;
  return cents < most ? cents : most;
}
