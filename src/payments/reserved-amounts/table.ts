import { as, nullable, numeric, text, timestamp, uuid } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';

/** Amounts that name an intent at an address, as a reference does: for wallets and exchanges that send neither reference nor memo. */
export const reservedAmounts = table(
  'reserved_amounts',
  {
    merchantId: uuid,
    intentId: uuid,
    destination: text,
    baseUnits: as<BaseUnits>(numeric),
    reservedAt: timestamp,
    /** When its intent was found to have ended; null while it can be paid. */
    endedAt: nullable(timestamp),
  },
  ['merchantId', 'intentId', 'baseUnits'],
);
export type ReservedAmount = RowOf<typeof reservedAmounts>;
