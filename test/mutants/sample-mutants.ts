import type { Mutant } from './mutant.ts';

/**
 * The same `count` mutants for the same seed and code. Dealt out operator by operator, so that the rare ones (a dropped
 * lock, a dropped scope) are looked at as often as the many comparisons.
 */
export function sampleMutants(mutants: readonly Mutant[], seed: number, count: number): Mutant[] {
  const random = randomFrom(seed);
  const piles = Map.groupBy(mutants, ({ operator }) => operator);
  const order = shuffle([...piles.keys()].sort(), random).map((operator) =>
    shuffle(piles.get(operator)!, random),
  );
  const dealt: Mutant[] = [];
  for (let round = 0; dealt.length < Math.min(count, mutants.length); round++)
    dealt.push(...order.flatMap((pile) => pile.slice(round, round + 1)));
  return dealt.slice(0, count);
}

/** Mulberry32: small, and the same on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
  }
  return shuffled;
}
