import {
  Flag,
  Int32,
  Int64,
  List,
  Nullable,
  OneOf,
  Percent,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { type Discount, DURATIONS, type PromotionCode } from './discount.ts';

export const DiscountView = Shape('Discount', {
  id: Uuid(),
  projectId: Uuid(),
  name: Text(),
  percentOff: Nullable(Percent()),
  amountOffCents: Nullable(Int64()),
  duration: OneOf(DURATIONS),
  durationPeriods: Nullable(Int32()),
  productIds: Nullable(List(Uuid())),
  startsAt: Nullable(Timestamp()),
  endsAt: Nullable(Timestamp()),
  maxRedemptions: Nullable(Int32()),
  maxPerCustomer: Nullable(Int32()),
  redemptionsCount: Int32({ description: 'Checkouts that have it: open or paid.' }),
  isActive: Flag(),
  createdAt: Timestamp(),
});

export function presentDiscount(discount: Discount) {
  const { merchantId: _merchant, percentOffBps, ...shown } = discount;
  return { ...shown, percentOff: percentOffBps === null ? null : percentOffBps / 100 };
}

export const PromotionCodeView = Shape('PromotionCode', {
  id: Uuid(),
  projectId: Uuid(),
  discountId: Uuid(),
  code: Text({ max: 50 }),
  isActive: Flag(),
  createdAt: Timestamp(),
});

export function presentCode({ merchantId: _merchant, ...shown }: PromotionCode) {
  return shown;
}
