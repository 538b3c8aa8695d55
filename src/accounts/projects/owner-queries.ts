import type { Queryable } from '../../platform/db/database.ts';
import type { ThingName } from './named-thing.ts';

const OWNED_BY_TABLE = (table: string) =>
  `select project_id as id from ${table} where merchant_id = $1 and id = $2`;

/** One look-up by primary key each. Events of objects without a project have none. */
const FIND_OWNER: Record<ThingName, string> = {
  customerId: OWNED_BY_TABLE('customers'),
  productId: OWNED_BY_TABLE('products'),
  priceId: OWNED_BY_TABLE('prices'),
  sessionId: OWNED_BY_TABLE('checkout_sessions'),
  checkoutSessionId: OWNED_BY_TABLE('checkout_sessions'),
  invoiceId: OWNED_BY_TABLE('invoices'),
  subscriptionId: OWNED_BY_TABLE('subscriptions'),
  paymentLinkId: OWNED_BY_TABLE('payment_links'),
  paywallId: OWNED_BY_TABLE('paywalls'),
  discountId: OWNED_BY_TABLE('discounts'),
  promotionCodeId: OWNED_BY_TABLE('promotion_codes'),
  taxRateId: OWNED_BY_TABLE('tax_rates'),
  deliveryId: `
    select (e.body::json #>> '{data,projectId}')::uuid as id
      from webhook_deliveries d join events e on e.merchant_id = d.merchant_id and e.id = d.event_id
     where d.merchant_id = $1 and d.id = $2 and e.body::json #>> '{data,projectId}' is not null`,
};

/** The project something belongs to; undefined if it is not the merchant's or does not exist. */
export async function findOwner(
  db: Queryable,
  merchantId: string,
  thing: ThingName,
  id: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(FIND_OWNER[thing], [merchantId, id]);
  return row?.id;
}

/** True if any project of the merchant has a request limit. */
export async function hasRequestLimits(db: Queryable, merchantId: string): Promise<boolean> {
  const rows = await db.query(
    'select from projects where merchant_id = $1 and monthly_request_limit is not null limit 1',
    [merchantId],
  );
  return rows.length > 0;
}
