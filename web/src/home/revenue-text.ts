import type { Int64, Revenue, RevenueTotals } from '@florin/sdk';
import { dateLocale, locale } from '../words/language.ts';
import { t } from '../words/t.ts';

const ISOLATED = locale.startsWith('ar') ? '\u2066' : '';

const percentWith = (digits: number) =>
  new Intl.NumberFormat(locale, {
    style: 'percent',
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
const [whole, tenths] = [percentWith(0), percentWith(1)];
/** Formats a percentage from left to right, also within a sentence that is not. */
const percent = (value: number) =>
  `${ISOLATED}${(Math.abs(value) < 10 && value !== 0 ? tenths : whole).format(value / 100)}${ISOLATED && '\u2069'}`;

/** Nothing to compare with: nothing is said. */
export function changeText(
  now: Int64,
  before: Int64,
): { text: string; tone: 'up' | 'down' | 'same' } | undefined {
  const [is, was] = [Number(now), Number(before)];
  if (was <= 0) return undefined;
  const change = ((is - was) / was) * 100;
  if (Math.abs(change) < 0.05) return { text: t('No change'), tone: 'same' };
  const size =
    Math.abs(change) >= 1_000 ? `${Math.round(Math.abs(change) / 100 + 1)}×` : percent(Math.abs(change));
  return change > 0 ? { text: `▲ ${size}`, tone: 'up' } : { text: `▼ ${size}`, tone: 'down' };
}

export function percentText(part: Int64, whole: Int64): string {
  return Number(whole) === 0 ? '–' : percent((Number(part) / Number(whole)) * 100);
}

/** Returns the share of lost subscribers, among those at the start and those who joined. */
export function churnText({
  lostSubscribersCount,
  subscribersAtStartCount,
  newSubscribersCount,
}: RevenueTotals): string {
  return percentText(lostSubscribersCount, Number(subscribersAtStartCount) + Number(newSubscribersCount));
}

const date = new Intl.DateTimeFormat(dateLocale, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const day = new Intl.DateTimeFormat(dateLocale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat(dateLocale, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Formats a date such as 2026-05-01, whatever the time zone. */
export const dateText = (text: string) => date.format(dateOf(text));
export const dayText = (text: string) => day.format(dateOf(text));
export const monthText = (text: string) => month.format(dateOf(text));
const dateOf = (text: string) => new Date(`${text}T00:00:00Z`);

export const daysText = (from: string, to: string) =>
  from === to ? dateText(from) : `${dateText(from)} – ${dateText(to)}`;

export function periodText({ from, to, previousFrom, previousTo, points, comparedUntil }: Revenue): string {
  const isWhole = Date.parse(comparedUntil) >= Date.parse(points[0]?.startsAt ?? comparedUntil);
  const holes = { period: daysText(from, to), previous: daysText(previousFrom, previousTo) };
  return isWhole
    ? t('{period}. Compared with {previous}.', holes)
    : t('{period}. Compared with {previous}, up to the same time.', holes);
}

/** 950, 1.2K, 34M: for the side of a chart. */
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
export const compactText = (value: number) => compact.format(value);
