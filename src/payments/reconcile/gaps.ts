import { toDecimal } from '../../chain/solana/pay-url.ts';
import { type Break, moves, type Slot, slotsAt } from './balance-line.ts';

/** A place where the balance changes by nothing that the node lists. */
export interface Gap {
  /** Slot above it that moves something; undefined if there is none. */
  before: number | undefined;
  /** Slot below it. */
  after: number;
  /** Balances of the account: what the one below left, and what the one above began with. */
  left: bigint | undefined;
  found: bigint;
}

/** Keeps the breaks that say something: next to what could not be read, or is not known, nothing is to be expected. */
export function gapsAmong(slots: readonly Slot[], breaks: readonly Break[]): Gap[] {
  return breaks.flatMap((one) => {
    const { at, below, above } = one;
    const meeting = slotsAt(slots, one);
    const isUnread = meeting.some(({ entries }) => entries.some((entry) => entry.isUnread));
    if (above === undefined || isUnread) return [];
    const before = at > 0 && moves(meeting[0]!) ? meeting[0]!.slot : undefined;
    return [{ before, after: slots[at]!.slot, left: below, found: above }];
  });
}

export function textOfGap({ before, after, left, found }: Gap): string {
  const held = `${toDecimal(found)} USDC ${before === undefined ? 'now' : `before slot ${before}`}`;
  const leaves = left === undefined ? 'another balance' : `${toDecimal(left)} USDC`;
  return `the account holds ${held}, and slot ${after} left ${leaves}: the node lists nothing between them`;
}
