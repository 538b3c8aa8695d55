import {
  Flag,
  Int32,
  Int64,
  List,
  Name,
  Nullable,
  OneOf,
  Optional,
  Percent,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { DURATIONS } from './discount.ts';

const MAX = 1_000_000_000;

const limits = {
  startsAt: Optional(Nullable(Timestamp('It is not given before.'))),
  endsAt: Optional(Nullable(Timestamp('It is not given from then on. Those who have it keep it.'))),
  maxRedemptions: Optional(
    Nullable(Int32({ min: 1, max: MAX, description: 'The most checkouts that can have it.' })),
  ),
  maxPerCustomer: Optional(
    Nullable(
      Int32({ min: 1, max: MAX, description: 'The most checkouts of one customer that can have it.' }),
    ),
  ),
};

export const CreateDiscountBody = Shape(
  'CreateDiscountRequest',
  {
    projectId: Uuid(),
    name: Name({ description: 'As customers read it.' }),
    percentOff: Optional(
      Nullable(Percent('0.01 to 100, with at most two decimals. Either this or amountOffCents.')),
    ),
    amountOffCents: Optional(
      Nullable(Int64({ min: 1, description: 'At most the price: nothing is owed back.' })),
    ),
    duration: Optional(
      OneOf(DURATIONS, 'For subscriptions: the first period (default), several periods, or all of them.'),
    ),
    durationPeriods: Optional(
      Nullable(Int32({ min: 1, max: 1_000, description: 'For duration periods: how many, with the first.' })),
    ),
    productIds: Optional(Nullable(List(Uuid(), { min: 1, max: 50 }))),
    ...limits,
  },
  {
    example: {
      projectId: '019b76da-a800-7000-8000-000000000001',
      name: 'Summer sale',
      percentOff: 12.5,
      maxRedemptions: 100,
    },
  },
);

export const UpdateDiscountBody = Shape('UpdateDiscountRequest', {
  name: Optional(Name()),
  isActive: Optional(Flag('false: it is no longer given.')),
  ...limits,
});

/** Easy to type on any keyboard. */
const Code = () =>
  Text({
    max: 50,
    pattern: '^[A-Za-z0-9_-]+$',
    description: 'Letters, digits, - and _; upper and lower case mean the same.',
  });

export const CreateCodeBody = Shape(
  'CreatePromotionCodeRequest',
  { discountId: Uuid(), code: Optional(Code()) },
  { example: { discountId: '019b76da-a800-7000-8000-000000000001', code: 'SUMMER' } },
);

export const UpdateCodeBody = Shape('UpdatePromotionCodeRequest', {
  isActive: Optional(Flag('false: it can no longer be entered.')),
});
