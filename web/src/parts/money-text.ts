import type { Int64 } from '@florin/sdk';
import { locale } from '../words/language.ts';

/** Amounts as a language writes them. */
export function moneyIn(locale: string) {
  const parts = new Intl.NumberFormat(locale).formatToParts(-12_345.6);
  const partOf = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)!.value;
  const point = partOf('decimal');
  // Where thousands are set apart by a space, people type one of any width.
  const group = partOf('group').trim() || String.raw`\s`;
  const plain = new RegExp(String.raw`^(\d{1,15})(?:[.${point}](\d{1,2}))?$`);
  // Without the cents, what sets thousands apart may be meant as the decimal point.
  const grouped = new RegExp(String.raw`^(\d{1,3}(?:[${group}]\d{3}){1,4})[${point}](\d{2})$`);
  return {
    text(cents: Int64): string {
      const value = BigInt(cents);
      const size = value < 0n ? -value : value;
      const whole = (size / 100n).toLocaleString(locale);
      return `${value < 0n ? '−' : ''}${whole}${point}${String(size % 100n).padStart(2, '0')}`;
    },
    parse(text: string): bigint | undefined {
      const match = plain.exec(text.trim()) ?? grouped.exec(text.trim());
      if (!match) return undefined;
      return BigInt(match[1]!.replace(/\D/g, '')) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
    },
  };
}

const { text, parse } = moneyIn(locale);

/** Whole cents as people write them: 1,234.50. Keeps every digit of the largest amount. */
export const moneyText = text;

/** What a person typed into a field: 12, 12.5, 12.50 and 1,234.50; undefined when it is no amount, or can mean two. */
export const parseMoney = parse;
