import {
  arrayOf,
  boolean,
  cents,
  integer,
  nullable,
  oneOf,
  text,
  timestamp,
  uuid,
  withDefault,
} from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { AppliedDiscount } from '../invoices/invoice.ts';
import type { CartDiscount } from '../pricing/price-cart.ts';

export const DURATIONS = ['once', 'periods', 'forever'] as const;
export type Duration = (typeof DURATIONS)[number];

/** Less to pay, under terms that never change once they have been promised. */
export const discounts = table(
  'discounts',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    name: text,
    /** Hundredths of a percent; or a fixed amount. */
    percentOffBps: nullable(integer),
    amountOffCents: nullable(cents),
    /** Duration, as a number of periods of a subscription. */
    duration: oneOf(DURATIONS),
    durationPeriods: nullable(integer),
    /** Products it applies to; null means all. */
    productIds: nullable(arrayOf(uuid)),
    startsAt: nullable(timestamp),
    endsAt: nullable(timestamp),
    maxRedemptions: nullable(integer),
    maxPerCustomer: nullable(integer),
    /** Checkouts that have it: open or paid. */
    redemptionsCount: withDefault(integer),
    isActive: withDefault(boolean),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type Discount = RowOf<typeof discounts>;

export const promotionCodes = table(
  'promotion_codes',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    discountId: uuid,
    code: text,
    isActive: withDefault(boolean),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type PromotionCode = RowOf<typeof promotionCodes>;

export const discountRedemptions = table(
  'discount_redemptions',
  {
    merchantId: uuid,
    sessionId: uuid,
    discountId: uuid,
    customerId: nullable(uuid),
    email: nullable(text),
    /** A stranger typed the address. */
    isTyped: boolean,
    /** Time until which an unpaid checkout keeps it; null: for good. */
    heldUntil: nullable(timestamp),
    createdAt: timestamp,
  },
  ['merchantId', 'sessionId'],
);
export type Redemption = Omit<RowOf<typeof discountRedemptions>, 'heldUntil'>;

/** Person who gets the discount, as far as known. */
export type Redeemer = Pick<Redemption, 'customerId' | 'email' | 'isTyped'>;

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
