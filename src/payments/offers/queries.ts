import { text, timestamp, uuid } from '../../platform/db/columns.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { deleteSlice } from '../../platform/db/delete-slice.ts';
import { type RowOf, table } from '../../platform/db/table.ts';
import type { Ref } from '../../platform/lib/ref.ts';

/** Keys of orders: under one key there is one order. */
export const orderKeys = table(
  'order_keys',
  { merchantId: uuid, route: text, key: text, intentId: uuid, createdAt: timestamp },
  ['merchantId', 'route', 'key'],
);
type Row = RowOf<typeof orderKeys>;
export type OrderKey = Pick<Row, 'merchantId' | 'route' | 'key'>;
export type HeldKey = Pick<Row, 'intentId' | 'createdAt'>;

export const findOrderKey = (db: Queryable, { merchantId, route, key }: OrderKey) =>
  orderKeys.find(db, { merchantId, route, key });

/** False where it was deleted. Until the transaction ends it is not. */
export async function lockPaywall(tx: Queryable, { merchantId, id }: Ref): Promise<boolean> {
  const rows = await tx.query(
    'select from paywalls where merchant_id = $1 and id = $2 and deleted_at is null for share',
    [merchantId, id],
  );
  return rows.length > 0;
}

/** True if a signed transaction has paid the intent or may still pay it. */
export async function hasPayingTransaction(db: Queryable, { merchantId, id }: Ref): Promise<boolean> {
  const rows = await db.query(
    `select from sponsored_transactions
      where merchant_id = $1 and intent_id = $2 and state <> 'dropped' and not has_failed limit 1`,
    [merchantId, id],
  );
  return rows.length > 0;
}

export interface OrderSession {
  id: string;
  status: string;
  paymentLinkId: string | null;
  externalCustomerId: string | null;
}

export async function findSessionOfIntent(
  db: Queryable,
  { merchantId, id }: Ref,
): Promise<OrderSession | undefined> {
  const [row] = await db.query<OrderSession>(
    `select id, status, payment_link_id, external_customer_id
       from checkout_sessions where merchant_id = $1 and payment_intent_id = $2`,
    [merchantId, id],
  );
  return row;
}

/** Frees the key for another order, if it is still held by this one. */
export async function deleteOrderKey(
  db: Queryable,
  { merchantId, route, key }: OrderKey,
  intentId: string,
): Promise<void> {
  await db.query(
    'delete from order_keys where merchant_id = $1 and route = $2 and key = $3 and intent_id = $4',
    [merchantId, route, key, intentId],
  );
}

export async function deleteOldOrderKeys(db: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `${deleteSlice('order_keys', ['merchant_id', 'route', 'key'], 'created_at < $1')} returning true`,
    [before, limit],
  );
  return rows.length;
}
