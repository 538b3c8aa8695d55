import { ChangedMetadata } from '../../platform/http/metadata-schema.ts';
import {
  Flag,
  Int32,
  Nullable,
  OneOf,
  Optional,
  Shape,
  Text,
  Timestamp,
  Uuid,
} from '../../platform/http/schema.ts';
import { MAX_OF_A_LINE } from '../checkout-sessions/line-items.ts';
import { PRORATION_BEHAVIORS } from '../subscriptions/plan-change.ts';

export const CancelBody = Shape('CancelSubscriptionRequest', {
  atPeriodEnd: Optional(Flag('true (default): it ends with the last paid period. false: it ends now.')),
});

const quantity = Optional(
  Int32({ min: 1, max: MAX_OF_A_LINE, description: 'How many of it; default: as many as now.' }),
);

export const PreviewBody = Shape('PreviewSubscriptionChangeRequest', {
  priceId: Optional(Uuid('The price to change to; default: the current one, with another quantity.')),
  quantity,
  prorationBehavior: Optional(OneOf(PRORATION_BEHAVIORS)),
  prorationDate: Optional(
    Timestamp(
      'The time the change is calculated for, within the current period; default now. In the future only with `next_period` or `none`.',
    ),
  ),
});

export const UpdateBody = Shape('UpdateSubscriptionRequest', {
  priceId: Optional(Uuid('The price to change to.')),
  quantity,
  prorationBehavior: Optional(OneOf(PRORATION_BEHAVIORS)),
  previewToken: Optional(
    Text({ max: 2048, description: 'Bills exactly what the preview showed, or nothing.' }),
  ),
  cancelAtPeriodEnd: Optional(Flag('false undoes a cancellation.')),
  successUrl: Optional(
    Nullable(Text({ max: 2048, description: 'Where the customer goes after paying a renewal or change.' })),
  ),
  cancelUrl: Optional(
    Nullable(Text({ max: 2048, description: 'Where the customer goes instead of paying.' })),
  ),
  metadata: ChangedMetadata,
});
