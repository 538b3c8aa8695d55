import { locale } from '../words/language.ts';

const form = new Intl.NumberFormat(locale, { maximumFractionDigits: 100 });

/** An amount in a token's own unit: 1,234.5. Text, because a double has fewer digits. */
export function tokenText(baseUnits: string, decimals: number): string {
  const digits = baseUnits.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return form.format(`${digits.slice(0, point)}.${digits.slice(point) || '0'}` as unknown as number);
}
