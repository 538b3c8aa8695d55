import { NO_ONE } from './fold-queries.ts';

/** The columns of `revenue_entries` that a contribution has, in its order. */
export const ENTRY_COLUMNS =
  'merchant_id, project_id, source_id, customer_id, product_id, quarter, payments_count, gross_cents, refunds_count, refunded_cents, opened_count, completed_count';

const PAYMENTS = `
  select i.merchant_id, coalesce(s.project_id, '${NO_ONE}') as project_id, i.id as source_id, s.customer_id,
         null::uuid as product_id, quarter_of(i.succeeded_at) as quarter, 1 as payments_count,
         div(i.received_base_units, 10000) as gross_cents, 0 as refunds_count, 0::numeric as refunded_cents,
         0 as opened_count, 0 as completed_count
    from payment_intents i
    left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
   where i.status = 'succeeded'`;

const REFUNDS = `
  select r.merchant_id, coalesce(s.project_id, '${NO_ONE}'), r.id, s.customer_id, null::uuid,
         quarter_of(r.succeeded_at), 0, 0::numeric, 1, r.amount_cents, 0, 0
    from refunds r
    join payment_intents i on i.merchant_id = r.merchant_id and i.id = r.payment_intent_id
    left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id
   where r.status = 'succeeded' and i.status = 'succeeded'`;

const CHECKOUTS = `
  select s.merchant_id, s.project_id, s.id, null::uuid, null::uuid, quarter_of(s.created_at), 0, 0::numeric, 0,
         0::numeric, 1, (s.status = 'complete')::integer
    from checkout_sessions s
   where s.origin <> 'renewal'`;

const SALES = `
  select v.merchant_id, v.project_id, v.id, null::uuid, p.product_id, quarter_of(v.paid_at), sold.quantity,
         sold.net_cents, 0, 0::numeric, 0, 0
    from invoices v
   cross join jsonb_array_elements(v.lines) as line
   cross join lateral sold_by_line(line) as sold
    join prices p on p.merchant_id = v.merchant_id and p.id = (line ->> 'priceId')::uuid
   where v.status = 'paid'`;

/** Present contributions of everything, as entries: the sum of all entries there ever were. */
export const ALL_CONTRIBUTIONS = [PAYMENTS, REFUNDS, CHECKOUTS, SALES].join(' union all ');
