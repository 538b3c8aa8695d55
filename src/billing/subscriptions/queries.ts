import { withMerged } from '../../accounts/customers/with-merged.ts';
import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import { parseJson, stringifyJson } from '../../platform/lib/json.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { type PendingChange, type Subscription, subscriptions } from './subscription.ts';

/** Everything in a subscription's own row and its customer's. */
export const OWN_COLUMNS = `${subscriptions.columns('b')}, c.external_customer_id`;
const COLUMNS = `${OWN_COLUMNS}, s.checkout_url as renewal_checkout_url`;
const FROM = `
  from subscriptions b
  join customers c on c.merchant_id = b.merchant_id and c.id = b.customer_id
  left join invoices v on v.merchant_id = b.merchant_id and v.id = b.renewal_invoice_id
  left join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id`;

export type Row = Omit<Subscription, 'pendingChange'> & { pendingChange: string | null };

export function toSubscription(row: Row): Subscription {
  return { ...row, pendingChange: row.pendingChange === null ? null : toChange(row.pendingChange, row) };
}

/** Read without losing a digit, which the driver's own JSON reader would. */
function toChange(text: string, { quantity }: Row): PendingChange {
  const stored = parseJson(text) as Record<string, unknown>;
  return {
    ...(stored as unknown as PendingChange),
    // Changes from before there were quantities keep the one there is.
    quantity: (stored.quantity as number | undefined) ?? quantity,
    amountDueCents: BigInt(stored.amountDueCents as number),
    prorationDate: new Date(stored.prorationDate as string),
    expiresAt: new Date(stored.expiresAt as string),
  };
}

export const toRow = (subscription: Subscription) => ({
  ...subscription,
  pendingChange: subscription.pendingChange && stringifyJson(subscription.pendingChange),
});

export async function findSubscription(
  db: Queryable,
  { merchantId, id }: Ref,
): Promise<Subscription | undefined> {
  const [row] = await db.query<Row>(`select ${COLUMNS} ${FROM} where b.merchant_id = $1 and b.id = $2`, [
    merchantId,
    id,
  ]);
  return row && toSubscription(row);
}

/** Lists the subscriptions with these ids; unknown ids are skipped. */
export async function listSubscriptionsById(
  db: Queryable,
  merchantId: string,
  ids: readonly string[],
): Promise<Subscription[]> {
  const rows = await db.query<Row>(
    `select ${COLUMNS} ${FROM} where b.merchant_id = $1 and b.id = any($2::uuid[])`,
    [merchantId, ids],
  );
  return rows.map(toSubscription);
}

/** The intents behind its open invoices are locked first, to avoid deadlocks. */
export async function lockSubscription(
  tx: Queryable,
  { merchantId, id }: Ref,
): Promise<Subscription | undefined> {
  const [row] = await tx.query<Row>(
    `select ${COLUMNS} ${FROM} where b.merchant_id = $1 and b.id = $2 for no key update of b`,
    [merchantId, id],
  );
  return row && toSubscription(row);
}

export interface SubscriptionFilter {
  projectId?: string | undefined;
  customerId?: string | undefined;
  /** Matches subscriptions of any of these customers. */
  customerIds?: readonly string[] | undefined;
  externalCustomerId?: string | undefined;
  priceId?: string | undefined;
  status?: string[] | undefined;
  metadata?: string[] | undefined;
}

export async function listSubscriptions(
  db: Queryable,
  merchantId: string,
  asked: SubscriptionFilter,
  range: Range,
): Promise<Subscription[]> {
  const filter = await withMerged(db, merchantId, asked);
  const conditions = new Conditions()
    .add('b.merchant_id = ?', merchantId)
    .within('b.id', range)
    .add('b.project_id = ?', filter.projectId)
    .add('b.customer_id = ?', filter.customerId)
    .add('b.customer_id = any(?)', filter.customerIds)
    .add(
      'b.customer_id in (select id from customers where merchant_id = $1 and external_customer_id = ?)',
      filter.externalCustomerId,
    )
    .add('b.price_id = ?', filter.priceId)
    .add('b.status = any(?)', filter.status);
  const limit = conditions.limit(range.limit);
  conditions.addMetadata('subscriptions', 'b', { merchantId, ...range, metadata: filter.metadata }, limit);
  const rows = await db.query<Row>(
    `select ${COLUMNS} ${FROM} where ${conditions.where} order by b.id desc limit ${limit.place}`,
    conditions.values,
  );
  return rows.map(toSubscription);
}
