import type { CatalogPrice } from '../../billing/catalog/price.ts';
import { formatUsd } from '../../platform/lib/format.ts';
import type { Language } from '../../platform/lib/language.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { formatDays, formatDuration, formatEvery } from './interval.ts';

type RecurringPrice = Pick<CatalogPrice, 'unitAmountCents' | 'recurringInterval' | 'recurringIntervalCount'>;

/** Amount left by a discount, for its first periods or permanently (null). */
export interface Reduced {
  amountCents: Cents;
  periods: number | null;
}

/** `Free for 14 days, then $10.00 every month.`, or with what a discount makes of the first periods before that. */
export function describeTrial(
  trialDays: number,
  price: RecurringPrice,
  quantity: bigint,
  language: Language,
  reduced?: Reduced,
): string {
  const rate = rateOf(price, language);
  const days = formatDays(trialDays, language);
  const text = SENTENCES[language];
  if (!reduced) return text.after(days, rate(price.unitAmountCents * quantity));
  if (reduced.periods === null) return text.after(days, rate(reduced.amountCents));
  const full = { ...price, unitAmountCents: price.unitAmountCents * quantity };
  return text.after(days, describeEnding(full, reduced, language));
}

/** `$7.50 for 1 month, and after that $10.00 every month`: a discount that ends, inside a sentence. */
export function describeEnding(
  price: RecurringPrice,
  { amountCents, periods }: Reduced,
  language: Language,
): string {
  const text = SENTENCES[language];
  const rate = rateOf(price, language);
  const { recurringInterval, recurringIntervalCount } = price;
  const span = formatDuration(recurringInterval!, recurringIntervalCount! * periods!, language);
  const first =
    periods === 1 ? text.once(formatUsd(amountCents, language), span) : text.several(rate(amountCents), span);
  return text.inTurn(first, rate(price.unitAmountCents));
}

/** `$10.00 every month`. */
function rateOf({ recurringInterval, recurringIntervalCount }: RecurringPrice, language: Language) {
  const every = formatEvery(recurringInterval!, recurringIntervalCount!, language);
  return (amountCents: Cents) => `${formatUsd(amountCents, language)} ${every}`;
}

interface Sentences {
  after(days: string, rate: string): string;
  /** An amount that is paid once, for so long. */
  once(amount: string, span: string): string;
  /** A rate that lasts so long. */
  several(rate: string, span: string): string;
  inTurn(first: string, rate: string): string;
}

const SENTENCES: Record<Language, Sentences> = {
  en: {
    after: (days, rate) => `Free for ${days}, then ${rate}.`,
    once: (amount, span) => `${amount} for ${span}`,
    several: (rate, span) => `${rate} for ${span}`,
    inTurn: (first, rate) => `${first}, and after that ${rate}`,
  },
  de: {
    after: (days, rate) => `${days} kostenlos, danach ${rate}.`,
    once: (amount, span) => `${amount} für ${span}`,
    several: (rate, span) => `${span} lang ${rate}`,
    inTurn: (first, rate) => `${first} und anschließend ${rate}`,
  },
  es: {
    after: (days, rate) => `${days} gratis; después, ${rate}.`,
    once: (amount, span) => `${amount} por ${span}`,
    several: (rate, span) => `${rate} durante ${span}`,
    inTurn: (first, rate) => `${first} y, a continuación, ${rate}`,
  },
  fr: {
    after: (days, rate) => `Gratuit pendant ${days}, puis ${rate}.`,
    once: (amount, span) => `${amount} pour ${span}`,
    several: (rate, span) => `${rate} pendant ${span}`,
    inTurn: (first, rate) => `${first}, et ensuite ${rate}`,
  },
  ar: {
    after: (days, rate) => `مجانًا لمدة ${days}، ثم ${rate}.`,
    once: (amount, span) => `${amount} لمدة ${span}`,
    several: (rate, span) => `${rate} لمدة ${span}`,
    inTurn: (first, rate) => `${first}، وبعد ذلك ${rate}`,
  },
};
