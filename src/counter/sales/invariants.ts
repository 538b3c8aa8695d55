import type { Invariant } from '../../platform/db/invariant.ts';

/** Sales made before this migration are a payment alone. */
const ORDERS_SINCE = `select applied_at from schema_migrations where name = 'till_orders'`;

export const tillInvariants: Invariant[] = [
  {
    name: 'till-sales-add-up',
    says: 'What a till sold and its tip are what the payment asks for, at the till’s own terminal.',
    violations: `
      select s.intent_id from till_sales s
        join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.intent_id
        join tills t on t.merchant_id = s.merchant_id and t.id = s.till_id
        left join checkout_sessions c on c.merchant_id = s.merchant_id and c.payment_intent_id = s.intent_id
       where s.goods_cents::numeric + coalesce(c.tip_cents, s.tip_cents) <> i.expected_amount_cents or i.terminal_id <> t.terminal_id`,
  },
  {
    name: 'till-sales-are-orders',
    says: 'Every paid sale of a till is a completed order with a paid invoice of its project, and so in the books like any other.',
    violations: `
      select s.intent_id from till_sales s
        join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.intent_id
        join tills t on t.merchant_id = s.merchant_id and t.id = s.till_id
        left join checkout_sessions c on c.merchant_id = s.merchant_id and c.payment_intent_id = s.intent_id
        left join invoices v on v.merchant_id = c.merchant_id and v.checkout_session_id = c.id
       where i.status = 'succeeded'
         and case when c.id is null then i.created_at > (${ORDERS_SINCE})
                  else c.status <> 'complete' or c.project_id <> t.project_id
                    or v.status is distinct from 'paid' or v.project_id is distinct from t.project_id end`,
  },
];
