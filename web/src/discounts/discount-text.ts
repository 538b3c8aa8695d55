import type { Discount } from '@florin/sdk';
import { moneyText } from '../parts/money.tsx';

/** `25% off`, `5.00 USDC off for 3 periods`. */
export function discountText({ percentOff, amountOffCents, duration, durationPeriods }: Discount): string {
  const off = percentOff === null ? `${moneyText(amountOffCents!)} USDC off` : `${percentOff}% off`;
  if (duration === 'once') return off;
  return duration === 'forever' ? `${off} forever` : `${off} for ${durationPeriods} periods`;
}

export function usesText({ redemptionsCount, maxRedemptions }: Discount): string {
  return maxRedemptions === null ? String(redemptionsCount) : `${redemptionsCount} of ${maxRedemptions}`;
}
