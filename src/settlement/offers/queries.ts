import type { Queryable } from '../../platform/db/database.ts';

export interface OrderKey {
  merchantId: string;
  route: string;
  key: string;
}

export interface HeldKey {
  intentId: string;
  createdAt: Date;
}

export async function findOrderKey(
  db: Queryable,
  { merchantId, route, key }: OrderKey,
): Promise<HeldKey | undefined> {
  const [row] = await db.query<HeldKey>(
    `select intent_id, created_at from order_keys
      where merchant_id = $1 and route = $2 and key = $3`,
    [merchantId, route, key],
  );
  return row;
}

/** Waits for a transaction that holds the key at this moment; false where it is taken. */
export async function insertOrderKey(
  tx: Queryable,
  { merchantId, route, key }: OrderKey,
  { intentId, createdAt }: HeldKey,
): Promise<boolean> {
  const rows = await tx.query(
    `insert into order_keys (merchant_id, route, key, intent_id, created_at) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning intent_id`,
    [merchantId, route, key, intentId, createdAt],
  );
  return rows.length > 0;
}

/** False where it was deleted. Until the transaction ends it is not. */
export async function lockPaywall(
  tx: Queryable,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<boolean> {
  const rows = await tx.query(
    'select from paywalls where merchant_id = $1 and id = $2 and deleted_at is null for share',
    [merchantId, id],
  );
  return rows.length > 0;
}

/** True if a signed transaction has paid the intent or may still pay it. */
export async function hasPayingTransaction(
  db: Queryable,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<boolean> {
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
  { merchantId, id }: { merchantId: string; id: string },
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
    `delete from order_keys where (merchant_id, route, key) in (
       select merchant_id, route, key from order_keys where created_at < $1 order by created_at limit $2)
     returning key`,
    [before, limit],
  );
  return rows.length;
}
