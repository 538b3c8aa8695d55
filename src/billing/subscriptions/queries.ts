import { withMerged } from '../../accounts/customers/with-merged.ts';
import { Conditions } from '../../platform/db/conditions.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Range } from '../../platform/http/list.ts';
import { parseJson, stringifyJson } from '../../platform/lib/json.ts';
import type { PendingChange, Subscription } from './subscription.ts';

/** Everything in a subscription's own row and its customer's. */
export const OWN_COLUMNS = `
  b.id, b.merchant_id, b.project_id, b.customer_id,
  c.external_customer_id, b.price_id, b.quantity,
  b.discount_id, b.discount_periods_left,
  b.period_discount_id, b.prepaid_discount_id,
  b.merchant_reference, b.client_reference_id,
  b.success_url, b.cancel_url, b.metadata, b.status, b.trial_days, b.trial_ends_at, b.anchor_at,
  b.period_index, b.current_period_start,
  b.current_period_end, b.paid_through,
  b.cancel_at_period_end, b.canceled_at, b.cancel_reason,
  b.grace_ends_at, b.renewal_invoice_id,
  b.latest_invoice_id, b.prepaid_price_id,
  b.prepaid_quantity, b.next_price_id, b.next_quantity, b.pending_change::text as pending_change,
  b.next_step_at, b.reminders_sent, b.sequence, b.created_at`;
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

export interface SubscriptionRef {
  merchantId: string;
  id: string;
}

export async function insertSubscription(tx: Queryable, subscription: Subscription): Promise<void> {
  await tx.query(
    `insert into subscriptions (merchant_id, id, project_id, customer_id, price_id, status, sequence, created_at,
                                merchant_reference, client_reference_id, success_url, cancel_url, quantity,
                                metadata, discount_id, discount_periods_left, trial_days)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [
      subscription.merchantId,
      subscription.id,
      subscription.projectId,
      subscription.customerId,
      subscription.priceId,
      subscription.status,
      subscription.sequence,
      subscription.createdAt,
      subscription.merchantReference,
      subscription.clientReferenceId,
      subscription.successUrl,
      subscription.cancelUrl,
      subscription.quantity,
      subscription.metadata,
      subscription.discountId,
      subscription.discountPeriodsLeft,
      subscription.trialDays,
    ],
  );
}

export async function findSubscription(
  db: Queryable,
  { merchantId, id }: SubscriptionRef,
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
  { merchantId, id }: SubscriptionRef,
): Promise<Subscription | undefined> {
  const [row] = await tx.query<Row>(
    `select ${COLUMNS} ${FROM} where b.merchant_id = $1 and b.id = $2 for no key update of b`,
    [merchantId, id],
  );
  return row && toSubscription(row);
}

/** Stores all that may change of a subscription. */
export async function updateSubscription(tx: Queryable, subscription: Subscription): Promise<void> {
  await tx.query(
    `update subscriptions
        set price_id = $3, status = $4, anchor_at = $5, period_index = $6, current_period_start = $7,
            current_period_end = $8, paid_through = $9, cancel_at_period_end = $10, canceled_at = $11,
            cancel_reason = $12, grace_ends_at = $13, renewal_invoice_id = $14, latest_invoice_id = $15,
            next_price_id = $16, pending_change = $17, next_step_at = $18, reminders_sent = $19, sequence = $20,
            prepaid_price_id = $21, success_url = $22, cancel_url = $23, quantity = $24, prepaid_quantity = $25,
            next_quantity = $26, metadata = $27, discount_id = $28, discount_periods_left = $29,
            period_discount_id = $30, prepaid_discount_id = $31, trial_ends_at = $32
      where merchant_id = $1 and id = $2`,
    [
      subscription.merchantId,
      subscription.id,
      subscription.priceId,
      subscription.status,
      subscription.anchorAt,
      subscription.periodIndex,
      subscription.currentPeriodStart,
      subscription.currentPeriodEnd,
      subscription.paidThrough,
      subscription.cancelAtPeriodEnd,
      subscription.canceledAt,
      subscription.cancelReason,
      subscription.graceEndsAt,
      subscription.renewalInvoiceId,
      subscription.latestInvoiceId,
      subscription.nextPriceId,
      subscription.pendingChange && stringifyJson(subscription.pendingChange),
      subscription.nextStepAt,
      subscription.remindersSent,
      subscription.sequence,
      subscription.prepaidPriceId,
      subscription.successUrl,
      subscription.cancelUrl,
      subscription.quantity,
      subscription.prepaidQuantity,
      subscription.nextQuantity,
      subscription.metadata,
      subscription.discountId,
      subscription.discountPeriodsLeft,
      subscription.periodDiscountId,
      subscription.prepaidDiscountId,
      subscription.trialEndsAt,
    ],
  );
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
