import type { Int64, Price } from '@florin/sdk';
import { moneyText } from '../parts/money.tsx';
import { locale } from '../words/language.ts';
import { t, tn } from '../words/t.ts';

/** `12.00 USDC a month`, `20.00 USDC for 500 credits`. */
export function termsText(price: Price): string {
  const amount = `${moneyText(price.unitAmountCents)} USDC`;
  if (price.billingMode === 'balance_top_up')
    return tn(price.creditAmount ?? 0, '{amount} for {count} credit', '{amount} for {count} credits', {
      amount,
    });
  if (price.billingMode === 'one_time') return t('{amount} once', { amount });
  const rate = rateText(price);
  return price.trialDays
    ? tn(price.trialDays, '{rate} after {count} day free', '{rate} after {count} days free', { rate })
    : rate;
}

/** `12.00 USDC a month`: what a plan costs once it runs. */
function rateText({ unitAmountCents, recurringInterval, recurringIntervalCount }: Price): string {
  const holes = { amount: `${moneyText(unitAmountCents)} USDC` };
  const count = recurringIntervalCount ?? 1;
  const isEach = count === 1;
  switch (recurringInterval) {
    case 'day':
      return isEach
        ? t('{amount} a day', holes)
        : tn(count, '{amount} every {count} day', '{amount} every {count} days', holes);
    case 'week':
      return isEach
        ? t('{amount} a week', holes)
        : tn(count, '{amount} every {count} week', '{amount} every {count} weeks', holes);
    case 'year':
      return isEach
        ? t('{amount} a year', holes)
        : tn(count, '{amount} every {count} year', '{amount} every {count} years', holes);
    default:
      return isEach
        ? t('{amount} a month', holes)
        : tn(count, '{amount} every {count} month', '{amount} every {count} months', holes);
  }
}

/** Names of purchases, the same everywhere. */
export const MODE_NAMES: Record<Price['billingMode'], string> = {
  one_time: t('One-time'),
  balance_top_up: t('Credits'),
  subscription: t('Subscription'),
};

/** The product, the price's own name where it has one, and what it asks. */
export function priceText(price: Price, productName: string | undefined): string {
  return t('{name}, {terms}', { name: nameText(price, productName), terms: termsText(price) });
}

/** Returns the text of a plan for somebody who already has it: a trial that is over is left out. */
export function planText(price: Price, productName: string | undefined): string {
  const terms = price.billingMode === 'subscription' ? rateText(price) : termsText(price);
  return t('{name}, {terms}', { name: nameText(price, productName), terms });
}

function nameText(price: Price, productName = t('Product')): string {
  const name = price.name ? ` · ${price.name}` : '';
  return `${productName}${name}`;
}

export const daysText = (days: number) => tn(days, '{count} day', '{count} days');

/** `500 credits`, or with a sign of its own: `+500 credits`. */
export const creditsText = (credits: Int64, amount = numberText(credits)) =>
  tn(credits, '{amount} credit', '{amount} credits', { amount });

export const numberText = (value: Int64) => BigInt(value).toLocaleString(locale).replace('-', '−');

/** `Red, green, blue`. */
export const listText = (texts: readonly string[]) => list.format(texts);
const list = new Intl.ListFormat(locale, { type: 'unit' });
