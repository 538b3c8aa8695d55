import { type Language, localeOf } from '../../platform/lib/language.ts';

/** The day in UTC, with the month as a word: 03/04 is read two ways. */
export function formatDay(date: Date, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(date);
}

/** `November 2026`, in UTC. */
export function formatMonth(date: Date, language: Language): string {
  const form = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(localeOf(language), form).format(date);
}
