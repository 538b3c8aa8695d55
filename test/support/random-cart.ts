import type { Cart, CartLine, TaxRate } from '../../src/billing/pricing/price-cart.ts';
import { MAX_INT64 } from '../../src/platform/lib/money.ts';

/** The same cart for the same seed, for tests: small and huge amounts, many alike, with and without everything. */
export function randomCart(seed: number): Cart {
  const next = generator(seed);
  const pick = <Value>(values: readonly Value[]) => values[next(values.length)]!;
  const count = 1 + next(pick([1, 3, 8, 20]));
  const lines = Array.from({ length: count }, (_, i): CartLine => {
    const tax = pick([null, null, ...RATES]);
    // No two lines are the same thing.
    const key = `price ${i}`;
    return {
      key,
      unitAmountCents: amount(next),
      quantity: BigInt(1 + next(pick([1, 5, 10_000]))),
      isDiscountable: next(4) > 0,
      tax,
    };
  });
  const discount = pick([
    null,
    { percentOffBps: BigInt(1 + next(10_000)) },
    { amountOffCents: amount(next) },
  ]);
  return { lines, discount, creditCents: pick([0n, amount(next)]) };
}

const RATES: TaxRate[] = [
  { id: 'standard', ratePpm: 190_000n, behavior: 'inclusive' },
  { id: 'standard', ratePpm: 190_000n, behavior: 'exclusive' },
  { id: 'reduced', ratePpm: 55_000n, behavior: 'exclusive' },
  { id: 'odd', ratePpm: 123_457n, behavior: 'inclusive' },
];

function amount(next: (below: number) => number): bigint {
  switch (next(20)) {
    case 0:
      return MAX_INT64 - BigInt(next(1_000));
    case 1:
      return MAX_INT64 / BigInt(1 + next(100_000));
    default:
      return BigInt(1 + next([3, 100, 100_000, 2 ** 31][next(4)]!));
  }
}

/** A random order of so many things. */
export function shuffled(count: number, seed: number): number[] {
  const next = generator(seed ^ 0x5bd1e995);
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = next(i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** mulberry32: small, and good enough to vary carts. */
export function generator(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
