import { formatPercent } from '../../platform/lib/format.ts';
import type { Language } from '../../platform/lib/language.ts';

/** A rate as answers say it. */
export interface RateText {
  name: string;
  percent: number;
  behavior: 'inclusive' | 'exclusive';
  taxCents: bigint;
}

const INCLUDED: Record<Language, (tax: string) => string> = {
  en: (tax) => `incl. ${tax}`,
  de: (tax) => `inkl. ${tax}`,
  es: (tax) => `${tax} incluido`,
  fr: (tax) => `dont ${tax}`,
  ar: (tax) => `شامل ${tax}`,
};

/** `19% VAT`, or `incl. 19% VAT` where the prices contain it. A rate of nothing says its name alone. */
export function taxText({ name, percent, behavior }: RateText, language: Language): string {
  if (percent === 0) return name;
  const text = `${formatPercent(percent, language)} ${name}`;
  return behavior === 'inclusive' ? INCLUDED[language](text) : text;
}
