import { formatCount, formatPercent, formatUsd, fromLeftToRight } from '../../platform/lib/format.ts';
import type { Language } from '../../platform/lib/language.ts';
import { cleanText } from '../pdf/clean-text.ts';
import { formatDay, formatPeriod } from './format.ts';
import { paperMessages } from './messages/languages.ts';
import type { PaperMessages } from './messages/messages.ts';

/** The language of one document: its words, and how amounts, dates and foreign texts are written. */
export interface Paper {
  words: PaperMessages;
  usd(cents: bigint): string;
  count(count: bigint): string;
  percent(percent: number): string;
  day(date: Date): string;
  period(start: Date | null, end: Date | null): string;
  /** A text from outside, cleaned, for a place among our words: there it keeps its own direction. */
  quote(text: string | null): string;
}

export function paperIn(language: Language): Paper {
  const isMirrored = language === 'ar';
  return {
    words: paperMessages[language],
    usd: (cents) => formatUsd(cents, language),
    count: (count) => formatCount(count, language),
    percent: (percent) =>
      isMirrored ? fromLeftToRight(formatPercent(percent, language)) : formatPercent(percent, language),
    day: (date) => formatDay(date, language),
    period: (start, end) => formatPeriod(start, end, language),
    quote: (text) => (isMirrored ? `\u2068${clean(text)}\u2069` : clean(text)),
  };
}

/** Longer than any name, address or reference can be; what is longer still says that it was cut. */
const MAX_LENGTH = 300;

export function clean(text: string | null): string {
  const characters = [...cleanText(text ?? '')];
  return characters.length <= MAX_LENGTH
    ? characters.join('')
    : `${characters.slice(0, MAX_LENGTH).join('')}\u2026`;
}
