import type { Int64 } from '@florin/sdk';

/** Whole cents as people write them: 1,234.50. Keeps every digit of the largest amount. */
export function moneyText(cents: Int64): string {
  const value = BigInt(cents);
  const size = value < 0n ? -value : value;
  const whole = (size / 100n).toLocaleString('en-US');
  return `${value < 0n ? '−' : ''}${whole}.${String(size % 100n).padStart(2, '0')}`;
}

/** What a person typed into a field: 12, 12.5 and 12.50; undefined when it is no amount. */
export function parseMoney(text: string): bigint | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(text.trim().replaceAll(',', ''));
  if (!match) return undefined;
  return BigInt(match[1]!) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
}
