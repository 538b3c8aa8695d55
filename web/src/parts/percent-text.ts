import { locale } from '../words/language.ts';

const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 });

/** 7.7 → 7.7%. */
export const percentText = (percent: number) => format.format(percent / 100);
