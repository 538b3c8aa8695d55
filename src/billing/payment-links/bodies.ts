import { ChangedMetadata, NewMetadata } from '../../platform/http/metadata-schema.ts';
import {
  Email,
  Flag,
  Int32,
  Int64,
  List,
  Name,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { PriceView, ProductView } from '../catalog/present.ts';
import { CURRENCIES, INTERVALS, MAX_TRIAL_DAYS } from '../catalog/price.ts';
import { TipPercents } from '../checkout-sessions/tip.ts';
import { LINK_STATUSES } from './link.ts';
import { LinkView } from './present.ts';

const terms = {
  requireClientReferenceId: Optional(Flag('Buyers must provide a client reference.')),
  collectCustomerEmail: Optional(Flag('Buyers must enter an e-mail address.')),
  allowPromotionCodes: Optional(Flag('Buyers can enter a promotion code on the checkout page.')),
  tipPercents: Optional(TipPercents),
  successUrl: Optional(Nullable(Text({ max: 2048 }))),
  cancelUrl: Optional(Nullable(Text({ max: 2048 }))),
};

const OpenAmountTerms = Shape('OpenAmountTerms', {
  minCents: Int64({ min: 1 }),
  maxCents: Optional(Nullable(Int64({ min: 1, description: 'Absent: 100000000, one million dollars.' }))),
  suggestedCents: Optional({
    ...List(Int64({ min: 1 }), { max: 6 }),
    description: 'Amounts to choose from with one click.',
  }),
});

const openAmount = Optional({
  ...Nullable(OpenAmountTerms),
  description:
    'Buyers choose the amount, for prices paid once; the price’s own is the default. null: the price.',
});

const ends = {
  expiresAt: Optional(Nullable(Timestamp('It ends at this time.'))),
  maxPayments: Optional(Nullable(Int32({ min: 1, description: 'It ends after this many payments.' }))),
};

export const CreateLinkBody = Shape('CreatePaymentLinkRequest', {
  projectId: Uuid(),
  priceId: Uuid('What it sells. Never changes.'),
  name: Optional(Nullable(Name())),
  ...terms,
  openAmount,
  ...ends,
  metadata: NewMetadata,
});

export const UpdateLinkBody = Shape('UpdatePaymentLinkRequest', {
  name: Optional(Nullable(Name())),
  status: Optional(OneOf(LINK_STATUSES)),
  ...terms,
  openAmount,
  ...ends,
  metadata: ChangedMetadata,
});

export const SetUpLinkBody = Shape(
  'SetUpPaymentLinkRequest',
  {
    projectId: Uuid(),
    productName: Name(),
    billingMode: OneOf(['one_time', 'balance_top_up', 'subscription']),
    unitAmountCents: Int64({ min: 1 }),
    currency: Optional(OneOf(CURRENCIES)),
    creditAmount: Optional(Nullable(Int64({ min: 1, description: 'For balance_top_up.' }))),
    recurringInterval: Optional(Nullable(OneOf(INTERVALS, 'For subscription.'))),
    recurringIntervalCount: Optional(
      Nullable(Int32({ min: 1, max: 1000, description: 'For subscription; default 1.' })),
    ),
    trialDays: Optional(
      Nullable(
        Int32({ min: 1, max: MAX_TRIAL_DAYS, description: 'For subscription: days that are free at first.' }),
      ),
    ),
    ...terms,
    openAmount,
    metadata: NewMetadata,
  },
  {
    example: {
      projectId: '019b76da-a800-7000-8000-000000000001',
      productName: 'Espresso course',
      billingMode: 'one_time',
      unitAmountCents: 4900,
      collectCustomerEmail: true,
    },
  },
);

export const LinkSetup = Shape('PaymentLinkSetup', {
  product: ProductView,
  price: PriceView,
  paymentLink: LinkView,
});

/** All that a stranger may say of their order. */
export const CheckOutBody = Shape(
  'PublicCheckoutRequest',
  {
    clientReferenceId: Optional(
      Nullable(Text({ max: 200, description: 'A label for your own records, such as a user or cart id.' })),
    ),
    amountCents: Optional(
      Nullable(Int64({ min: 1, description: 'What the buyer chose, where the link leaves that open.' })),
    ),
    customerEmail: Optional(Nullable(Email())),
    customerName: Optional(Nullable(Name())),
    idempotencyKey: Optional(
      Nullable(
        Text({
          description: 'The same key and fields return the same session: clicking twice creates one order.',
        }),
      ),
    ),
  },
  { example: { clientReferenceId: 'cart-17', customerEmail: 'buyer@example.com' } },
);

export const CheckOutView = Shape('PublicCheckout', {
  sessionId: Uuid(),
  checkoutUrl: Text({ max: 2048 }),
  expiresAt: Timestamp(),
});
