import { boolean, nullable, text, timestamp, uuid, withDefault } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

/** Counters in a shop, each with a printed code that shows its current payment. */
export const terminals = table(
  'terminals',
  {
    merchantId: uuid,
    id: uuid,
    name: nullable(text),
    isActive: withDefault(boolean),
    /** The intent it shows, or showed last. */
    currentIntentId: nullable(uuid),
    createdAt: timestamp,
  },
  ['merchantId', 'id'],
);
export type Terminal = RowOf<typeof terminals>;
