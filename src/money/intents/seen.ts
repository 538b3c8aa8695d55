import { type BaseUnits, baseUnitsToCents, centsToBaseUnits } from '../../platform/lib/money.ts';

/*
 * Money counts as seen from its first whole cent on. Less is dust: anybody can send it to anybody, so it must not
 * keep an intent from being canceled, replaced or expired, hold a terminal, or use up a limit. It is credited like
 * any other money all the same.
 */

/** Whether this much, final or not, is more than dust. */
export function isSeen(baseUnits: BaseUnits): boolean {
  return addsCents(0n, baseUnits);
}

/** Whether `more` brings at least one further whole cent on top of what there was. */
export function addsCents(before: BaseUnits, more: BaseUnits): boolean {
  return baseUnitsToCents(before + more) > baseUnitsToCents(before);
}

const CENT = centsToBaseUnits(1n);

/** The same in SQL, over rows of `credits`: whether what is not final yet adds a whole cent to what is. */
export const PENDING_ADDS_CENTS = `
  div(coalesce(sum(base_units), 0), ${CENT}) > div(coalesce(sum(base_units) filter (where is_final), 0), ${CENT})`;

/** The same in SQL, over rows of `credits`: whether all of it together is more than dust. */
export const IS_SEEN = `coalesce(sum(base_units), 0) >= ${CENT}`;
