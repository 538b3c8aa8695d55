import { toDecimal } from '../../chain/solana/pay-url.ts';
import type { Break, Slot } from './balance-line.ts';

/** A place where the balance changes by nothing that the node lists. */
export interface Gap {
  /** Slot above it; undefined if that is the end of the history. */
  before: number | undefined;
  /** Slot below it. */
  after: number;
  /** Balances of the account: what the one below left, and what the one above began with. */
  left: bigint | undefined;
  found: bigint;
}

/** Those of the breaks that say something: next to what could not be read, or is not known, nothing is to be expected. */
export function gapsAmong(slots: readonly Slot[], breaks: readonly Break[]): Gap[] {
  return breaks.flatMap(({ at, below, above }) => {
    const next = slots.slice(Math.max(0, at - 1), at + 1);
    if (above === undefined || next.some(({ entries }) => entries.some(({ isUnread }) => isUnread)))
      return [];
    return [{ before: slots[at - 1]?.slot, after: slots[at]!.slot, left: below, found: above }];
  });
}

export function textOfGap({ before, after, left, found }: Gap): string {
  const held = `${toDecimal(found)} USDC ${before === undefined ? 'now' : `before slot ${before}`}`;
  const leaves = left === undefined ? 'another balance' : `${toDecimal(left)} USDC`;
  return `the account holds ${held}, and slot ${after} left ${leaves}: the node lists nothing between them`;
}
