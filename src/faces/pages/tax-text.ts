import type { Language } from './language.ts';

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
  const locale = language === 'en' ? 'en-US' : `${language}-u-nu-latn`;
  const form = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 });
  if (percent === 0) return name;
  // Four decimals of a percentage are six of a share, where doubles are off by less than what is shown.
  const text = `${form.format(percent / 100).replace(/[\u061c\u200e\u200f]/g, '')} ${name}`;
  return behavior === 'inclusive' ? INCLUDED[language](text) : text;
}
