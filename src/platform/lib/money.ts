/** Integer US cents. Always bigint: amounts run to the edge of int64, past what a double can count. */
export type Cents = bigint & { readonly __unit?: 'cents' };

/** The smallest unit of USDC on chain (6 decimals). */
export type BaseUnits = bigint & { readonly __unit?: 'baseUnits' };

export const MAX_INT64 = 9_223_372_036_854_775_807n;

const BASE_UNITS_PER_CENT = 10_000n;

export function centsToBaseUnits(cents: Cents): BaseUnits {
  return cents * BASE_UNITS_PER_CENT;
}

/** Floors: a fraction of a cent that arrived is never reported as a whole one. */
export function baseUnitsToCents(units: BaseUnits): Cents {
  return units / BASE_UNITS_PER_CENT;
}

/** `0.5` of a token with so many decimals, to the last unit. */
export function unitsToDecimal(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '');
  return fraction ? `${digits.slice(0, point)}.${fraction}` : digits.slice(0, point);
}

/** Sums may pass int64; answers stop at its edge instead of wrapping or failing. */
export function saturateInt64(value: bigint): bigint {
  return value > MAX_INT64 ? MAX_INT64 : value;
}
