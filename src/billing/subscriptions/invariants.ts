import type { Invariant } from '../../platform/db/invariant.ts';
import { TRANSITIONS } from './subscription.ts';

const legalMoves = Object.entries(TRANSITIONS)
  .flatMap(([from, targets]) => [from, ...targets].map((to) => `('${from}', '${to}')`))
  .join(', ');

/** Invoices that bought a whole period. */
const PERIODS = `
  select v.merchant_id, v.subscription_id, v.id, v.period_start, v.period_end, v.billing_reason
    from invoices v where v.subscription_id is not null and v.status = 'paid'`;

export const subscriptionInvariants: Invariant[] = [
  {
    name: 'subscription-legal-moves',
    says: 'Every subscription’s history starts incomplete, makes legal moves only, has one event per change and ends where it is.',
    violations: `
      with history as (
        select object_id, sequence, status, previous_status,
               lag(status, 1) over (partition by merchant_id, object_id order by sequence) as came_from
          from events where object_type = 'subscription'
      )
      select object_id from history
       where previous_status is distinct from came_from
          or (previous_status is null and (status <> 'incomplete' or sequence <> 1))
          or (previous_status is not null and (previous_status, status) not in (values ${legalMoves}))
      union all
      select b.id from subscriptions b
        left join events e on e.merchant_id = b.merchant_id and e.object_id = b.id
       group by b.merchant_id, b.id
      having count(e.id) <> b.sequence or max(e.sequence) <> b.sequence
          or max(e.status) filter (where e.sequence = b.sequence) is distinct from b.status`,
  },
  {
    name: 'one-invoice-per-period',
    says: 'A period is billed at most once, and at most one renewal is open.',
    violations: `
      select subscription_id from invoices
       where billing_reason in ('subscription_create', 'subscription_cycle') and status <> 'void' and period_start is not null
       group by merchant_id, subscription_id, period_start having count(*) > 1
      union all
      select subscription_id from invoices where billing_reason = 'subscription_cycle' and status = 'open'
       group by merchant_id, subscription_id having count(*) > 1`,
  },
  {
    name: 'periods-abut',
    says: 'Paid periods never overlap, unless a plan change started a new one, and have no gaps since the same anchor.',
    violations: `
      with paid as (${PERIODS})
      select b.subscription_id from paid a
        join paid b on b.merchant_id = a.merchant_id and b.subscription_id = a.subscription_id
         and b.period_start > a.period_start and b.period_start < a.period_end
       where a.billing_reason <> 'subscription_change' and b.billing_reason <> 'subscription_change'
         and not exists (select from paid c where c.merchant_id = a.merchant_id and c.subscription_id = a.subscription_id
              and c.billing_reason = 'subscription_change' and c.period_start between a.period_start and b.period_start)
      union all
      select p.subscription_id from paid p
        join subscriptions b on b.merchant_id = p.merchant_id and b.id = p.subscription_id
       where p.billing_reason = 'subscription_cycle' and p.period_start > b.anchor_at
         and not exists (select from paid a where a.merchant_id = p.merchant_id and a.subscription_id = p.subscription_id
              and a.period_end = p.period_start)`,
  },
  {
    name: 'subscription-is-what-was-paid',
    says: 'A running subscription’s period is paid, or free, its open renewal is for the next period, and no closed invoice is pending.',
    violations: `
      select b.id from subscriptions b
       where b.status in ('trialing', 'active', 'past_due')
         and not exists (select from invoices v where v.merchant_id = b.merchant_id and v.subscription_id = b.id
              and v.status = 'paid' and v.period_end = b.paid_through)
      union all
      select b.id from subscriptions b
        join invoices v on v.merchant_id = b.merchant_id and v.id = b.renewal_invoice_id
       where v.status <> case when b.status = 'canceled' then 'uncollectible' else 'open' end
          or v.billing_reason <> 'subscription_cycle' or v.subscription_id <> b.id
          or v.period_start <> b.current_period_end or b.paid_through <> b.current_period_end
      union all
      select b.id from subscriptions b
        join invoices v on v.merchant_id = b.merchant_id and v.id = (b.pending_change ->> 'invoiceId')::uuid
       where v.status <> 'open' or v.billing_reason <> 'subscription_change' or v.subscription_id <> b.id
      union all
      select v.subscription_id from invoices v
        join subscriptions b on b.merchant_id = v.merchant_id and b.id = v.subscription_id
       where v.status = 'open'
         and v.id is distinct from b.renewal_invoice_id
         and v.id is distinct from (b.pending_change ->> 'invoiceId')::uuid
         and not (v.billing_reason = 'subscription_create' and b.status = 'incomplete')
      union all
      select b.id from subscriptions b
       where (b.status in ('trialing', 'active') and b.next_step_at is null)
          or (b.status = 'past_due' and b.paid_through <> b.current_period_end)
          or (b.renewal_invoice_id is not null and b.grace_ends_at is null)
          or b.latest_invoice_id is null
          or (b.prepaid_price_id is null) <> (b.paid_through is not distinct from b.current_period_end)`,
  },
];
