import type { Cents } from '../../platform/lib/money.ts';

/** A claim to a part of a sum, in proportion to its own weight. */
export interface Share {
  weight: Cents;
  /** Decides between shares of the same weight, so that the order they are listed in decides nothing. */
  key: string;
}

/**
 * Splits a sum over shares to the cent: each gets its exact part rounded down, and the cents that are left go to the
 * largest remainders. The parts always add up to the sum, and none is larger than its weight if the sum is not larger
 * than all weights. A share of less than nothing, as for unused time, gets less than nothing.
 */
export function allocate(sum: Cents, shares: readonly Share[]): Cents[] {
  const whole = shares.reduce((total, { weight }) => total + weight, 0n);
  if (whole === 0n) return shares.map(() => 0n);
  const parts = shares.map(({ weight }) => floorDivide(sum * weight, whole));
  let left = sum - parts.reduce((total, part) => total + part, 0n);
  const byRemainder = shares
    .map((share, at) => ({ ...share, at, remainder: remainderOf(sum * share.weight, whole) }))
    .sort(
      (one, other) =>
        compare(absolute(other.remainder), absolute(one.remainder)) ||
        compare(other.weight, one.weight) ||
        compare(one.key, other.key),
    );
  for (const { at } of byRemainder) {
    if (left === 0n) break;
    parts[at]! += 1n;
    left -= 1n;
  }
  return parts;
}

/** Rounds down below zero too. */
function floorDivide(value: bigint, by: bigint): bigint {
  return (value - remainderOf(value, by)) / by;
}

/** Remainder with the sign of the divisor. */
function remainderOf(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

function compare<Value extends bigint | string>(one: Value, other: Value): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
