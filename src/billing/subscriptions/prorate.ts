import type { Cents } from '../../platform/lib/money.ts';
import type { Period } from './period.ts';

export interface Proration {
  /** For the unused time of the old price. */
  creditCents: Cents;
  /** For the same time at the new one. */
  chargeCents: Cents;
}

/**
 * What the rest of a period is worth at two prices. Whole seconds, whole cents, halves rounded up: the same
 * numbers in the preview and on the invoice.
 */
export function prorate(period: Period, at: Date, oldCents: Cents, newCents: Cents): Proration {
  const whole = secondsBetween(period.start, period.end);
  const rest = secondsBetween(at, period.end);
  return { creditCents: share(oldCents, rest, whole), chargeCents: share(newCents, rest, whole) };
}

export function secondsBetween(from: Date, to: Date): bigint {
  return BigInt(Math.floor(to.getTime() / 1_000) - Math.floor(from.getTime() / 1_000));
}

/** cents × part ÷ whole, halves up. */
function share(cents: Cents, part: bigint, whole: bigint): Cents {
  return (2n * cents * part + whole) / (2n * whole);
}
