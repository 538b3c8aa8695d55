import type { Int64 } from '@florin/sdk';
import { locale } from '../words/language.ts';
import { t } from '../words/t.ts';
import { typedFigures } from './typed-figures.ts';

/** Amounts as a language writes them. */
export function moneyIn(locale: string) {
  const parts = new Intl.NumberFormat(locale).formatToParts(-12_345.6);
  const partOf = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)!.value;
  const point = partOf('decimal');
  // If thousands are separated by a space, people type one of any width.
  const sign = partOf('group').trim();
  const group = sign || String.raw`\s`;
  const plain = new RegExp(String.raw`^(\d{1,15})(?:[.${point}](\d{1,2}))?$`);
  // Without the cents, a sign that sets thousands apart may be meant as the decimal point; a space may not.
  const cents = String.raw`(?:[${point}](\d{2}))${sign ? '' : '?'}`;
  const grouped = new RegExp(String.raw`^(\d{1,3}(?:[${group}]\d{3}){1,4})${cents}$`);
  return {
    text(cents: Int64): string {
      const value = BigInt(cents);
      const size = value < 0n ? -value : value;
      const whole = (size / 100n).toLocaleString(locale);
      return `${value < 0n ? '−' : ''}${whole}${point}${String(size % 100n).padStart(2, '0')}`;
    },
    parse(text: string): bigint | undefined {
      const typed = typedFigures(text).trim();
      const match = plain.exec(typed) ?? grouped.exec(typed);
      if (!match) return undefined;
      return BigInt(match[1]!.replace(/\D/g, '')) * 100n + BigInt((match[2] ?? '').padEnd(2, '0'));
    },
  };
}

const { text, parse } = moneyIn(locale);

/** Whole cents as people write them: 1,234.50. Keeps every digit of the largest amount. */
export const moneyText = text;

/**
 * Parses an amount that a person typed: 12, 12.5, 12.50 and 1,234.50; undefined if it is no amount, or can mean two.
 */
export const parseMoney = parse;

/** The same of a field that has to be filled in, and what is wrong with it otherwise. */
export function requireMoney(label: string, text: string): bigint {
  const cents = parse(text);
  if (cents !== undefined) return cents;
  if (/^\d{1,3}(?:[.,]\d{3})+$/.test(typedFigures(text).trim()))
    throw new Error(
      t('{label}: “{text}” could mean two amounts. Leave out the thousands separator, or add the cents.', {
        label,
        text: text.trim(),
      }),
    );
  throw new Error(t('{label}: enter an amount such as 12 or 12.50.', { label }));
}

/** An amount in an address, the same in every language: 1234.50. */
export const plainMoney = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;

/** Undefined: it is no amount. */
export function readPlainMoney(text: string): bigint | undefined {
  const match = /^(\d{1,15})(?:\.(\d{1,2}))?$/.exec(text);
  return match ? BigInt(match[1]!) * 100n + BigInt((match[2] ?? '').padEnd(2, '0')) : undefined;
}

/**
 * Returns the text to search for: a grouped amount or one in other digits as the service reads it, anything else
 * unchanged.
 */
export function wantedText(text: string): string {
  const cents = /^\d+([.,]\d+)?$/.test(text.trim()) ? undefined : parse(text);
  return cents === undefined ? text : plainMoney(cents);
}
