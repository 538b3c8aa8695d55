import type { Discount } from '@florin/sdk';
import { moneyText } from '../parts/money.tsx';
import { percentText } from '../parts/percent-text.ts';
import { t, tn } from '../words/t.ts';

/** `25% off`, `5.00 USDC off for 3 periods`. */
export function discountText(discount: Discount): string {
  return discount.percentOff === null ? amountOffText(discount) : percentOffText(discount);
}

function amountOffText({ amountOffCents, duration, durationPeriods }: Discount): string {
  const amount = moneyText(amountOffCents!);
  if (duration === 'once') return t('{amount} USDC off', { amount });
  return duration === 'forever'
    ? t('{amount} USDC off forever', { amount })
    : tn(durationPeriods!, '{amount} USDC off for {count} period', '{amount} USDC off for {count} periods', {
        amount,
      });
}

function percentOffText({ percentOff, duration, durationPeriods }: Discount): string {
  const percent = percentText(percentOff!);
  if (duration === 'once') return t('{percent} off', { percent });
  return duration === 'forever'
    ? t('{percent} off forever', { percent })
    : tn(durationPeriods!, '{percent} off for {count} period', '{percent} off for {count} periods', {
        percent,
      });
}

export function usesText({ redemptionsCount, maxRedemptions }: Discount): string {
  return maxRedemptions === null
    ? String(redemptionsCount)
    : t('{used} of {limit}', { used: redemptionsCount, limit: maxRedemptions });
}
