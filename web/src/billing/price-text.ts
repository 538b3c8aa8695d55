import type { Price } from '@florin/sdk';
import { moneyText } from '../parts/money.tsx';
import { t } from '../words/t.ts';

/** `12.00 USDC a month`, `20.00 USDC for 500 credits`. */
export function termsText(price: Price): string {
  const amount = `${moneyText(price.unitAmountCents)} USDC`;
  if (price.billingMode === 'balance_top_up')
    return t('{amount} for {creditAmount} credits', {
      amount,
      creditAmount: numberText(price.creditAmount ?? 0),
    });
  if (price.billingMode === 'one_time') return t('{amount} once', { amount });
  const rate = rateText(price);
  return price.trialDays
    ? t('{rate} after {trialDays} free', { rate, trialDays: daysText(price.trialDays) })
    : rate;
}

/** `12.00 USDC a month`: what a plan costs once it runs. */
const rateText = (price: Price) => `${moneyText(price.unitAmountCents)} USDC ${intervalText(price)}`;

/** What a checkout or an invoice is for, in the same words everywhere. */
export const MODE_NAMES: Record<Price['billingMode'], string> = {
  one_time: t('One-time'),
  balance_top_up: t('Credits'),
  subscription: t('Subscription'),
};

export function intervalText({ recurringInterval, recurringIntervalCount }: Price): string {
  const count = recurringIntervalCount ?? 1;
  return count === 1
    ? `a ${recurringInterval}`
    : t('every {count} {recurringInterval}s', { count, recurringInterval });
}

/** The product, the price's own name where it has one, and what it asks. */
export function priceText(price: Price, productName: string | undefined): string {
  return `${nameText(price, productName)}, ${termsText(price)}`;
}

/** For somebody who already has the plan: a trial that is over is left out. */
export function planText(price: Price, productName: string | undefined): string {
  const terms = price.billingMode === 'subscription' ? rateText(price) : termsText(price);
  return `${nameText(price, productName)}, ${terms}`;
}

function nameText(price: Price, productName = t('Product')): string {
  const name = price.name ? ` · ${price.name}` : '';
  return `${productName}${name}`;
}

export const daysText = (days: number) =>
  days === 1 ? '1 day' : t('{days} days', { days: numberText(days) });

export const numberText = (value: number | bigint) => BigInt(value).toLocaleString('en-US').replace('-', '−');
