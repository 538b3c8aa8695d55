import { type Language, localeOf } from './language.ts';
import { unitsToDecimal } from './money.ts';

const DOLLARS = formsOf({ style: 'currency', currency: 'USD' });
const COUNTS = formsOf({});
/** A token may have 255 decimals; what is written has as many as Intl allows. */
const DECIMALS = formsOf({ maximumFractionDigits: 100 });
const PERCENTAGES = formsOf({ style: 'percent', maximumFractionDigits: 4 });

/** Each is created once, on its first use: that costs more than a hundred others. */
function formsOf(options: Intl.NumberFormatOptions): (language: Language) => Intl.NumberFormat {
  const forms = new Map<Language, Intl.NumberFormat>();
  return (language) => {
    const form = forms.get(language) ?? new Intl.NumberFormat(localeOf(language), options);
    forms.set(language, form);
    return form;
  };
}

/** `$1,234.50`, exact at any size, as the reader's language writes dollars. */
export function formatUsd(cents: bigint, language: Language): string {
  const text = DOLLARS(language).format(plainUsd(cents) as Intl.StringNumericLiteral);
  return language === 'ar' ? fromLeftToRight(text) : text;
}

/** `1234.50`, as a field holds it and a program reads it. */
export function plainUsd(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Signs of currency and minus belong to neither direction: among Arabic words `US$` would be read as `$US`. */
export function fromLeftToRight(text: string): string {
  return `\u2066${withoutMarks(text)}\u2069`;
}

export function formatCount(count: bigint, language: Language): string {
  return COUNTS(language).format(count);
}

/** `1,234.5` of a token, exact; null where its decimals are not known. */
export function formatToken(
  { baseUnits, decimals }: { baseUnits: bigint; decimals: number | null },
  language: Language,
): string | null {
  if (decimals === null) return null;
  return DECIMALS(language).format(unitsToDecimal(baseUnits, decimals) as Intl.StringNumericLiteral);
}

/** `4KcX…8c9H`: an address, in as much as people compare. */
export function shortAddress(address: string): string {
  return address.length > 9 ? `${address.slice(0, 4)}…${address.slice(-4)}` : address;
}

/** After a label. In French a space comes first, and it must not break the line. */
export function colonIn(language: Language): string {
  return language === 'fr' ? '\u00a0:' : ':';
}

/** `Total: $5.00`. */
export function labelled(label: string, value: string, language: Language): string {
  return `${label}${colonIn(language)} ${value}`;
}

/** `19.5%`. Four decimals of a percentage are six of a share, where doubles are off by less than what is shown. */
export function formatPercent(percent: number, language: Language): string {
  return withoutMarks(PERCENTAGES(language).format(percent / 100));
}

function withoutMarks(text: string): string {
  return text.replace(/[\u061c\u200e\u200f]/g, '');
}

/** Day and minute, marked as UTC, because the reader's time zone is unknown. */
export function formatMoment(date: Date, language: Language): string {
  const form = new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${form.format(date)} UTC`;
}
