import { nullable, oneOf, text, timestamp, uuid } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { SettleAt } from './parts.ts';

export const SETTLE_AT = ['confirmed', 'finalized'] as const satisfies readonly SettleAt[];

/** Hosted URLs, each of which sells one price to programs. */
export const paywalls = table(
  'paywalls',
  {
    merchantId: uuid,
    id: uuid,
    projectId: uuid,
    priceId: uuid,
    token: text,
    /** URL of what is sold, if that is not the paywall itself. */
    resourceUrl: nullable(text),
    description: text,
    mimeType: text,
    /** Null: decided by the amount. */
    settleAt: nullable(oneOf(SETTLE_AT)),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type Paywall = RowOf<typeof paywalls>;
