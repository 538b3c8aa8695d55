import type { Language } from './language.ts';

/** `$1,234.50`, exact at any size, as the reader's language writes dollars. */
export function formatUsd(cents: bigint, language: Language): string {
  const form = new Intl.NumberFormat(localeOf(language), { style: 'currency', currency: 'USD' });
  const text = form.format(plainUsd(cents) as Intl.StringNumericLiteral);
  return language === 'ar' ? fromLeftToRight(text) : text;
}

/** `1234.50`, as a field holds it and a program reads it. */
export function plainUsd(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Signs of currency and minus belong to neither direction: among Arabic words `US$` would be read as `$US`. */
function fromLeftToRight(text: string): string {
  return `\u2066${text.replace(/[\u061c\u200e\u200f]/g, '')}\u2069`;
}

export function formatCount(count: bigint, language: Language): string {
  return new Intl.NumberFormat(localeOf(language)).format(count);
}

/** The day in UTC, with the month as a word: 03/04 is read two ways. */
export function formatDay(date: Date, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

/** `November 2026`, in UTC. */
export function formatMonth(date: Date, language: Language): string {
  const form = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(localeOf(language), form).format(date);
}

/** Day and minute in UTC, which is said, because we do not know where the reader is. */
export function formatMoment(date: Date, language: Language): string {
  const form = new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${form.format(date)} UTC`;
}

/** Western digits everywhere: an amount is compared with what a wallet shows. */
function localeOf(language: Language): string {
  return language === 'en' ? 'en-US' : `${language}-u-nu-latn`;
}
