import { type Language, localeOf } from '../../platform/lib/language.ts';
import { paperMessages } from './messages/languages.ts';

/** The day in UTC, with the month as a word: 03/04 is read two ways. */
export function formatDay(date: Date, language: Language): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(date);
}

export function formatPeriod(start: Date | null, end: Date | null, language: Language): string {
  const { from, until } = paperMessages[language];
  if (start && end) return `${formatDay(start, language)} \u2013 ${formatDay(end, language)}`;
  if (start) return from(formatDay(start, language));
  return end ? until(formatDay(end, language)) : '';
}
