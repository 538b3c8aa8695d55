import { nullable, text, timestamp, uuid } from '../../platform/db/columns.ts';
import { type RowOf, table } from '../../platform/db/table.ts';

export const MAX_NOTE = 2000;

/** Notes of somebody of the merchant about a customer or a payment, for their own people only. */
export const notes = table(
  'notes',
  {
    merchantId: uuid,
    id: uuid,
    /** One of these two. */
    customerId: nullable(uuid),
    paymentIntentId: nullable(uuid),
    /** The author as the audit log names them. */
    author: text,
    text,
    createdAt: timestamp,
    /** Null until its author changes it. */
    editedAt: nullable(timestamp),
  },
  ['merchantId', 'id'],
);
export type Note = RowOf<typeof notes>;
