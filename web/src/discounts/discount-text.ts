import type { Discount } from '@florin/sdk';
import { moneyText } from '../parts/money.tsx';
import { t } from '../words/t.ts';

/** `25% off`, `5.00 USDC off for 3 periods`. */
export function discountText({ percentOff, amountOffCents, duration, durationPeriods }: Discount): string {
  const off =
    percentOff === null
      ? t('{amountOffAmount} USDC off', { amountOffAmount: moneyText(amountOffCents!) })
      : t('{percentOff}% off', { percentOff });
  if (duration === 'once') return off;
  return duration === 'forever'
    ? t('{off} forever', { off })
    : t('{off} for {durationPeriods} periods', { off, durationPeriods });
}

export function usesText({ redemptionsCount, maxRedemptions }: Discount): string {
  return maxRedemptions === null
    ? String(redemptionsCount)
    : t('{redemptionsCount} of {maxRedemptions}', { redemptionsCount, maxRedemptions });
}
