import { imagePath } from '../../accounts/images/image-url.ts';
import { Expanded } from '../../platform/http/expand.ts';
import { MetadataView } from '../../platform/http/metadata-schema.ts';
import {
  Flag,
  Int32,
  Int64,
  Nullable,
  OneOf,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { TAX_BEHAVIORS } from '../tax-rates/tax-rate.ts';
import { BILLING_MODES, INTERVALS, type Price } from './price.ts';
import type { Product } from './product.ts';

export const ProductView = Shape('Product', {
  id: Uuid(),
  projectId: Uuid(),
  name: Text(),
  description: Nullable(Text({ max: 2_000, lines: true })),
  isActive: Flag('false: none of its prices can be bought.'),
  createdAt: Timestamp(),
  metadata: MetadataView,
  imagePath: Nullable(
    Text({ max: 255, description: 'Where anybody can see its image, on this service. Null: it has none.' }),
  ),
});

export const PriceView = Shape('Price', {
  id: Uuid(),
  projectId: Uuid(),
  productId: Uuid(),
  name: Nullable(Text()),
  unitAmountCents: Int64(),
  currency: Text({ description: 'Always USD, paid in USDC.' }),
  billingMode: OneOf(BILLING_MODES),
  creditAmount: Nullable(Int64({ description: 'What a balance_top_up adds to the customer’s credits.' })),
  recurringInterval: Nullable(OneOf(INTERVALS)),
  recurringIntervalCount: Nullable(Int32({ description: '6 with `month` is twice a year.' })),
  isActive: Flag('false: it can no longer be bought. Existing subscriptions keep it.'),
  createdAt: Timestamp(),
  metadata: MetadataView,
  lookupKey: Nullable(Text({ max: 200, description: 'Your own name for it, unique in the project.' })),
  trialDays: Nullable(Int32({ description: 'How many days a new subscription is free at first.' })),
  taxBehavior: OneOf(
    TAX_BEHAVIORS,
    'Whether the amount contains tax (inclusive), or tax is added (exclusive).',
  ),
  taxRateId: Nullable(Uuid('Null: the project’s default for the buyer’s country.')),
});

export const ExpandedPriceView = Expanded('ExpandedPrice', PriceView, { product: ProductView });

export function presentProduct({ merchantId: _, imageFile, ...product }: Product) {
  return { ...product, imagePath: imageFile && imagePath(imageFile) };
}

export function presentPrice(price: Price) {
  const { id, projectId, productId, name, lookupKey, unitAmountCents, currency, billingMode } = price;
  const { creditAmount, recurringInterval, recurringIntervalCount, trialDays } = price;
  const { isActive, metadata, createdAt } = price;
  const { taxBehavior, taxRateId } = price;
  return {
    id,
    projectId,
    productId,
    name,
    lookupKey,
    unitAmountCents,
    currency,
    billingMode,
    creditAmount,
    recurringInterval,
    recurringIntervalCount,
    trialDays,
    taxBehavior,
    taxRateId,
    isActive,
    metadata,
    createdAt,
  };
}
