import type { AppliedDiscount } from '../../money/invoices/invoice.ts';
import type { CartDiscount } from '../../money/pricing/price-cart.ts';
import type { Cents } from '../../platform/lib/money.ts';

export const DURATIONS = ['once', 'periods', 'forever'] as const;
export type Duration = (typeof DURATIONS)[number];

/** Less to pay, under terms that never change once they have been promised. */
export interface Discount {
  id: string;
  merchantId: string;
  projectId: string;
  name: string;
  /** Hundredths of a percent; or a fixed amount. */
  percentOffBps: number | null;
  amountOffCents: Cents | null;
  /** Duration, as a number of periods of a subscription. */
  duration: Duration;
  durationPeriods: number | null;
  /** Products it applies to; null means all. */
  productIds: string[] | null;
  startsAt: Date | null;
  endsAt: Date | null;
  maxRedemptions: number | null;
  maxPerCustomer: number | null;
  /** Checkouts that have it: open or paid. */
  redemptionsCount: number;
  isActive: boolean;
  createdAt: Date;
}

export interface PromotionCode {
  id: string;
  merchantId: string;
  projectId: string;
  discountId: string;
  code: string;
  isActive: boolean;
  createdAt: Date;
}

/** Person who gets the discount, as far as known. */
export interface Redeemer {
  customerId: string | null;
  email: string | null;
  /** A stranger typed the address. */
  isTyped: boolean;
}

export interface Redemption extends Redeemer {
  merchantId: string;
  discountId: string;
  sessionId: string;
  createdAt: Date;
}

/** Returns the reason why a discount cannot be given now, if there is one. */
export function whyNotGiven(discount: Discount, now: Date): string | undefined {
  const { isActive, startsAt, endsAt, maxRedemptions, redemptionsCount } = discount;
  if (!isActive) return 'This discount is not active.';
  if (startsAt !== null && now < startsAt) return 'This discount has not started yet.';
  if (endsAt !== null && now >= endsAt) return 'This discount has ended.';
  if (maxRedemptions !== null && redemptionsCount >= maxRedemptions) return 'This discount is used up.';
  return undefined;
}

export function cartDiscountOf({ percentOffBps, amountOffCents }: Discount): CartDiscount {
  return percentOffBps === null
    ? { amountOffCents: amountOffCents! }
    : { percentOffBps: BigInt(percentOffBps) };
}

/** Returns the discount of a new subscription; its periods still include the first one. */
export function startingDiscount(discount: Discount | undefined): {
  discountId: string | null;
  discountPeriodsLeft: number | null;
} {
  if (!discount) return { discountId: null, discountPeriodsLeft: null };
  const { id, duration, durationPeriods } = discount;
  return { discountId: id, discountPeriodsLeft: duration === 'once' ? 1 : durationPeriods };
}

/** Returns a discount as invoices show it, without a code. */
export function appliedOf({ id, name }: Discount): AppliedDiscount {
  return { id, name, promotionCode: null };
}
