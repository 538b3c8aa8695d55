import type { Queryable } from '../platform/db/database.ts';
import type { Ref } from '../platform/lib/ref.ts';

export interface Buyer {
  intentId: string;
  name: string | null;
  email: string | null;
}

/** The customer that there is now, or else what was given at checkout. */
const BUYER = `
  from checkout_sessions s
  left join customers c on c.merchant_id = s.merchant_id and c.id = s.customer_id`;
const NAME = 'coalesce(c.name, s.customer_name)';
const EMAIL = 'coalesce(c.email, s.customer_email)';

/** The buyers of these intents. */
export async function listBuyers(
  db: Queryable,
  merchantId: string,
  intentIds: readonly string[],
): Promise<Buyer[]> {
  return db.query<Buyer>(
    `select s.payment_intent_id as intent_id, ${NAME} as name, ${EMAIL} as email ${BUYER}
      where s.merchant_id = $1 and s.payment_intent_id = any($2::uuid[])`,
    [merchantId, intentIds],
  );
}

export interface Purchase {
  intentId: string;
  checkoutSessionId: string;
  projectId: string;
  customerId: string | null;
  externalCustomerId: string | null;
  customerName: string | null;
  customerEmail: string | null;
  invoiceId: string;
  subscriptionId: string | null;
  description: string | null;
  lineCount: number;
}

/** The buyers of these intents, and what they bought. */
export async function listPurchases(
  db: Queryable,
  merchantId: string,
  intentIds: readonly string[],
): Promise<Purchase[]> {
  return db.query<Purchase>(
    `select s.payment_intent_id as intent_id, s.id as checkout_session_id, s.project_id, s.customer_id,
            coalesce(c.external_customer_id, s.external_customer_id) as external_customer_id,
            ${NAME} as customer_name, ${EMAIL} as customer_email, v.id as invoice_id,
            s.subscription_id, v.lines -> 0 ->> 'description' as description,
            jsonb_array_length(v.lines) as line_count ${BUYER}
       join invoices v on v.merchant_id = s.merchant_id and v.checkout_session_id = s.id
      where s.merchant_id = $1 and s.payment_intent_id = any($2::uuid[])`,
    [merchantId, intentIds],
  );
}

/** The customer of an intent's checkout; null if there is none. */
export async function findBuyer(tx: Queryable, { merchantId, id }: Ref): Promise<string | null> {
  const [row] = await tx.query<{ customerId: string | null }>(
    'select customer_id from checkout_sessions where merchant_id = $1 and payment_intent_id = $2',
    [merchantId, id],
  );
  return row?.customerId ?? null;
}
