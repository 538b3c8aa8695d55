import { boolean, nullable, text, timestamp, uuid, withDefault } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

export const trials = table(
  'trials',
  {
    merchantId: uuid,
    sessionId: uuid,
    productId: uuid,
    customerId: nullable(uuid),
    email: nullable(text),
    /** A stranger typed the address. */
    isTyped: withDefault(boolean),
    createdAt: timestamp,
  },
  ['merchantId', 'sessionId'],
);

/** A session that has a trial, or is about to. */
export type TrialOf = Omit<RowOf<typeof trials>, 'productId'>;
