import { dateLocale } from '../words/language.ts';
import { t } from '../words/t.ts';

/** Whole days in UTC, both included. */
export interface Period {
  label: string;
  from: string;
  to: string;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The periods that tax is declared for, around a day; the current quarter first. */
export function usualPeriods(now: Date): [Period, ...Period[]] {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  const quarter = month - (month % 3);
  return [
    period(t('This quarter'), year, quarter, 3),
    period(t('Last quarter'), year, quarter - 3, 3),
    period(t('This month'), year, month, 1),
    period(t('Last month'), year, month - 1, 1),
    period(t('This year'), year, 0, 12),
    period(t('Last year'), year - 1, 0, 12),
  ];
}

/** This month and those before it, latest first. */
export function latestMonths(now: Date): { value: string; label: string }[] {
  return Array.from({ length: 24 }, (_, ago) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
    const label = first.toLocaleDateString(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    return { value: first.toISOString().slice(0, 7), label };
  });
}

function period(label: string, year: number, month: number, months: number): Period {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { label, from: day(Date.UTC(year, month, 1)), to: day(Date.UTC(year, month + months, 1) - DAY_MS) };
}

/** The first moment of the first day, and the first moment after the last; nothing where that is no period. */
export function rangeOf({ from, to }: Pick<Period, 'from' | 'to'>): { from: Date; to: Date } | undefined {
  const start = isoDay(from);
  const end = isoDay(to);
  if (!start || !end || end < start) return undefined;
  return { from: start, to: new Date(end.getTime() + DAY_MS) };
}

export function isoDay(text: string): Date | undefined {
  const at = new Date(`${text}T00:00:00Z`);
  return DAY.test(text) && !Number.isNaN(at.getTime()) ? at : undefined;
}
