import type { CatalogPrice } from '../../accounts/catalog/price.ts';
import { formatUsd } from './format.ts';
import { formatDays, formatEvery } from './interval.ts';
import type { Language } from './language.ts';

/** `Free for 14 days, then $10.00 every month.` */
export function describeTrial(
  trialDays: number,
  price: Pick<CatalogPrice, 'unitAmountCents' | 'recurringInterval' | 'recurringIntervalCount'>,
  quantity: bigint,
  language: Language,
): string {
  const amount = formatUsd(price.unitAmountCents * quantity, language);
  const every = formatEvery(price.recurringInterval!, price.recurringIntervalCount!, language);
  return SENTENCES[language](formatDays(trialDays, language), `${amount} ${every}`);
}

const SENTENCES: Record<Language, (days: string, rate: string) => string> = {
  en: (days, rate) => `Free for ${days}, then ${rate}.`,
  de: (days, rate) => `${days} kostenlos, danach ${rate}.`,
  es: (days, rate) => `${days} gratis; después, ${rate}.`,
  fr: (days, rate) => `Gratuit pendant ${days}, puis ${rate}.`,
  ar: (days, rate) => `مجانًا لمدة ${days}، ثم ${rate}.`,
};
