import { type BaseUnits, centsToBaseUnits } from '../../platform/lib/money.ts';

const CENT = centsToBaseUnits(1n);
/** Number of amounts that are more than what is due by less than a cent. */
const FRACTIONS = Number(CENT) - 1;

/** The first and the last amount that may be reserved for what is due. */
export function rangeOf(due: BaseUnits): { from: BaseUnits; to: BaseUnits } {
  return { from: due + 1n, to: due + BigInt(FRACTIONS) };
}

/**
 * True if an amount pays all that is due and less than a cent more. Whole cents never do: any price may be as much, so they
 * would name nobody.
 */
export function fits(amount: BaseUnits, due: BaseUnits): boolean {
  const { from, to } = rangeOf(due);
  return amount >= from && amount <= to && amount % CENT !== 0n;
}

/** A free amount for what is due, the next one after a random place; undefined if all are taken. */
export function chooseAmount(
  due: BaseUnits,
  taken: { has(amount: BaseUnits): boolean },
  randomBelow: (limit: number) => number,
): BaseUnits | undefined {
  const first = randomBelow(FRACTIONS);
  for (let step = 0; step < FRACTIONS; step++) {
    const amount = due + 1n + BigInt((first + step) % FRACTIONS);
    if (fits(amount, due) && !taken.has(amount)) return amount;
  }
  return undefined;
}
