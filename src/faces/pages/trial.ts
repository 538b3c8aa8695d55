import type { CatalogPrice } from '../../accounts/catalog/price.ts';
import type { Cents } from '../../platform/lib/money.ts';
import { formatUsd } from './format.ts';
import { formatDays, formatDuration, formatEvery } from './interval.ts';
import type { Language } from './language.ts';

/** What a discount leaves to pay, for its first periods or for good (null). */
export interface Reduced {
  amountCents: Cents;
  periods: number | null;
}

/** `Free for 14 days, then $10.00 every month.`, or with what a discount makes of the first periods before that. */
export function describeTrial(
  trialDays: number,
  price: Pick<CatalogPrice, 'unitAmountCents' | 'recurringInterval' | 'recurringIntervalCount'>,
  quantity: bigint,
  language: Language,
  reduced?: Reduced,
): string {
  const [interval, count] = [price.recurringInterval!, price.recurringIntervalCount!];
  const every = formatEvery(interval, count, language);
  const rate = (amountCents: Cents) => `${formatUsd(amountCents, language)} ${every}`;
  const days = formatDays(trialDays, language);
  const text = SENTENCES[language];
  if (!reduced) return text.after(days, rate(price.unitAmountCents * quantity));
  const { amountCents, periods } = reduced;
  if (periods === null) return text.after(days, rate(amountCents));
  const span = formatDuration(interval, count * periods, language);
  const first =
    periods === 1 ? text.once(formatUsd(amountCents, language), span) : text.several(rate(amountCents), span);
  return text.after(days, text.inTurn(first, rate(price.unitAmountCents * quantity)));
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
