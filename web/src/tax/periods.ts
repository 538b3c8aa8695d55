import { timeZone } from '../app/time-zone.ts';
import { dateLocale } from '../words/language.ts';
import { t } from '../words/t.ts';

/** Whole days where the merchant is, both included. */
export interface Period {
  label: string;
  from: string;
  to: string;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const DAY = /^\d{4}-\d\d-\d\d$/;

/** The periods that tax is declared for, around a day; the current quarter first. */
export function usualPeriods(now: Date, zone = timeZone()): [Period, ...Period[]] {
  const { year, month } = monthAt(now, zone);
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
export function latestMonths(now: Date, zone = timeZone()): { value: string; label: string }[] {
  const { year, month } = monthAt(now, zone);
  return Array.from({ length: 24 }, (_, ago) => {
    const first = new Date(Date.UTC(year, month - ago, 1));
    const label = first.toLocaleDateString(dateLocale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    return { value: first.toISOString().slice(0, 7), label };
  });
}

/** The month on the calendar there, January being 0. */
function monthAt(now: Date, zone: string): { year: number; month: number } {
  const form = { year: 'numeric', month: 'numeric', timeZone: zone } as const;
  const [month, year] = now.toLocaleDateString('en-US', form).split('/').map(Number);
  return { year: year!, month: month! - 1 };
}

function period(label: string, year: number, month: number, months: number): Period {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { label, from: day(Date.UTC(year, month, 1)), to: day(Date.UTC(year, month + months, 1) - DAY_MS) };
}

/** The first and the last day, as reports take them; nothing where that is no period. */
export function rangeOf({ from, to }: Pick<Period, 'from' | 'to'>): { from: string; to: string } | undefined {
  const start = isoDay(from);
  const end = isoDay(to);
  return !start || !end || end < start ? undefined : { from, to };
}

export function isoDay(text: string): Date | undefined {
  const at = new Date(`${text}T00:00:00Z`);
  return DAY.test(text) && !Number.isNaN(at.getTime()) ? at : undefined;
}
