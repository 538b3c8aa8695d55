import type { Price } from '@florin/sdk';
import { moneyText } from '../parts/money.tsx';

/** `12.00 USDC a month`, `20.00 USDC for 500 credits`. */
export function termsText(price: Price): string {
  const amount = `${moneyText(price.unitAmountCents)} USDC`;
  if (price.billingMode === 'balance_top_up')
    return `${amount} for ${numberText(price.creditAmount ?? 0)} credits`;
  if (price.billingMode === 'one_time') return `${amount} once`;
  const rate = rateText(price);
  return price.trialDays ? `${rate} after ${daysText(price.trialDays)} free` : rate;
}

/** `12.00 USDC a month`: what a plan costs once it runs. */
const rateText = (price: Price) => `${moneyText(price.unitAmountCents)} USDC ${intervalText(price)}`;

/** What a checkout or an invoice is for, in the same words everywhere. */
export const MODE_NAMES: Record<Price['billingMode'], string> = {
  one_time: 'One-time',
  balance_top_up: 'Credits',
  subscription: 'Subscription',
};

export function intervalText({ recurringInterval, recurringIntervalCount }: Price): string {
  const count = recurringIntervalCount ?? 1;
  return count === 1 ? `a ${recurringInterval}` : `every ${count} ${recurringInterval}s`;
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

function nameText(price: Price, productName = 'Product'): string {
  const name = price.name ? ` · ${price.name}` : '';
  return `${productName}${name}`;
}

export const daysText = (days: number) => (days === 1 ? '1 day' : `${numberText(days)} days`);

export const numberText = (value: number | bigint) => BigInt(value).toLocaleString('en-US').replace('-', '−');
