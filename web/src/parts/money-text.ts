import type { Int64 } from '@florin/sdk';

/** Whole cents as people write them: 1,234.50. Keeps every digit of the largest amount. */
export function moneyText(cents: Int64): string {
  const value = BigInt(cents);
  const size = value < 0n ? -value : value;
  const whole = (size / 100n).toLocaleString('en-US');
  return `${value < 0n ? '−' : ''}${whole}.${String(size % 100n).padStart(2, '0')}`;
}

const PLAIN = /^(\d{1,15})(?:\.(\d{1,2}))?$/;
/** As we write amounts: 1,234.50. Without the cents, a comma may be meant as the decimal point. */
const GROUPED = /^(\d{1,3}(?:,\d{3}){1,4})\.(\d{2})$/;

/** What a person typed into a field: 12, 12.5, 12.50 and 1,234.50; undefined when it is no amount, or can mean two. */
export function parseMoney(text: string): bigint | undefined {
  const match = PLAIN.exec(text.trim()) ?? GROUPED.exec(text.trim());
  if (!match) return undefined;
  return BigInt(match[1]!.replaceAll(',', '')) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
}
