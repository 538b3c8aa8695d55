import type { Cents } from '../../platform/lib/money.ts';
import type { Period } from './period.ts';

export interface Proration {
  /** Credit for the unused time of the old price. */
  creditCents: Cents;
  /** Charge for the same time at the new one. */
  chargeCents: Cents;
}

/**
 * Prorates the rest of a period at two prices, in whole seconds and whole cents: the same numbers in the preview and
 * on the invoice. Credit is rounded down, so that no number of changes adds up to more than was paid; a charge half
 * up.
 */
export function prorate(period: Period, at: Date, oldCents: Cents, newCents: Cents): Proration {
  const whole = secondsBetween(period.start, period.end);
  const rest = secondsBetween(at, period.end);
  return {
    creditCents: shareDown(oldCents, period, at),
    chargeCents: (2n * newCents * rest + whole) / (2n * whole),
  };
}

/** The rest of a period's share of cents ÷ of, rounded down: before the period it is all of it. */
export function shareDown(cents: bigint, { start, end }: Period, at: Date, of = 1n): Cents {
  const whole = secondsBetween(start, end);
  const rest = secondsBetween(at, end);
  return (cents * (rest < whole ? rest : whole)) / (of * whole);
}

function secondsBetween(from: Date, to: Date): bigint {
  return BigInt(Math.floor(to.getTime() / 1_000) - Math.floor(from.getTime() / 1_000));
}
