import type { Interval } from '../../billing/catalog/price.ts';
import type { Language } from '../../platform/lib/language.ts';

/** `every month`, `every 6 months`: how often a subscription renews, inside a sentence. */
export function formatEvery(interval: Interval, count: number, language: Language): string {
  if (count === 1) return SINGLE[language][interval];
  if (language === 'ar' && count === 2) return `${everyOf(language, interval)} ${ARABIC_DUAL[interval]}`;
  return `${everyOf(language, interval)} ${formatSpan(interval, count, language)}`;
}

const SINGLE: Record<Language, Record<Interval, string>> = {
  en: { day: 'every day', week: 'every week', month: 'every month', year: 'every year' },
  de: { day: 'jeden Tag', week: 'jede Woche', month: 'jeden Monat', year: 'jedes Jahr' },
  es: { day: 'cada día', week: 'cada semana', month: 'cada mes', year: 'cada año' },
  fr: { day: 'chaque jour', week: 'chaque semaine', month: 'chaque mois', year: 'chaque année' },
  ar: { day: 'كل يوم', week: 'كل أسبوع', month: 'كل شهر', year: 'كل سنة' },
};

/** Arabic has a dual form, with another ending after "every" and "for". */
const ARABIC_DUAL: Record<Interval, string> = {
  day: 'يومين',
  week: 'أسبوعين',
  month: 'شهرين',
  year: 'سنتين',
};

function everyOf(language: Language, interval: Interval): string {
  switch (language) {
    case 'en':
      return 'every';
    case 'de':
      return 'alle';
    case 'es':
      return 'cada';
    case 'fr':
      return interval === 'week' ? 'toutes les' : 'tous les';
    case 'ar':
      return 'كل';
  }
}

/** `14 days`, inside a sentence. */
export function formatDays(count: number, language: Language): string {
  return formatDuration('day', count, language);
}

/** `6 months` as how long something lasts, inside a sentence. */
export function formatDuration(interval: Interval, count: number, language: Language): string {
  if (language === 'ar' && count === 2) return ARABIC_DUAL[interval];
  return formatSpan(interval, count, language);
}

/** `6 months`, with the plural that the language has for this number. */
function formatSpan(interval: Interval, count: number, language: Language): string {
  const locale = `${language}-u-nu-latn`;
  return new Intl.NumberFormat(locale, { style: 'unit', unit: interval, unitDisplay: 'long' }).format(count);
}
