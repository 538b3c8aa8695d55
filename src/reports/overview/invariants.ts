import type { Invariant } from '../../platform/db/invariant.ts';
import { ALL_CONTRIBUTIONS, ENTRY_COLUMNS } from './contributions.ts';
import { ALL_PROJECTS, NO_ONE } from './fold-queries.ts';

const SUMS = 'payments_count, gross_cents, refunds_count, refunded_cents, completed_count';

const IS_WRONG = SUMS.split(', ')
  .map((name) => `sum(${name}) <> 0`)
  .join(' or ');

/** Each with what is not added up yet, of one span. */
const differences = (kind: string, subject: string, condition: string) => `
  select subject_id from (
    select merchant_id, project_id, ${subject} as subject_id, quarter, ${SUMS}
      from (${ALL_CONTRIBUTIONS}) as c(${ENTRY_COLUMNS}) where ${condition}
    union all
    select merchant_id, project_id, ${subject}, quarter, ${negative()} from revenue_entries where ${condition}
    union all
    select merchant_id, project_id, subject_id, starts_at, ${negative()} from revenue_totals
     where kind = '${kind}' and span = 'quarter' and project_id <> '${ALL_PROJECTS}'
  ) as parts
   group by merchant_id, project_id, subject_id, quarter
  having ${IS_WRONG}`;

function negative(): string {
  return SUMS.split(', ')
    .map((name) => `-${name}`)
    .join(', ');
}

/** Opened checkouts are counted even after they are deleted, so they are not compared. */
export const revenueInvariants: Invariant[] = [
  {
    name: 'revenue-counted',
    says: 'Revenue by quarter of an hour is the sum of the payments, refunds and checkouts themselves.',
    violations: differences('all', `'${NO_ONE}'::uuid`, 'product_id is null'),
  },
  {
    name: 'customer-revenue-counted',
    says: 'The revenue of each customer is the sum of their payments and refunds.',
    violations: differences('customer', 'customer_id', 'customer_id is not null'),
  },
  {
    name: 'product-revenue-counted',
    says: 'The sales of each product are the sum of its lines on paid invoices.',
    violations: differences('product', 'product_id', 'product_id is not null'),
  },
  {
    name: 'revenue-spans-agree',
    says: 'Revenue by hour, day and month, and of all projects together, is the sum of its quarters of an hour.',
    violations: `
      select subject_id from (
        select t.merchant_id, w.project_id, t.kind, t.subject_id, w.span, w.starts_at, ${SUMS}
          from revenue_totals t cross join lateral wider_totals(t.project_id, t.starts_at) w
         where t.span = 'quarter' and t.project_id <> '${ALL_PROJECTS}'
           and (t.kind = 'all' or (w.project_id <> '${ALL_PROJECTS}' and w.span <> 'hour'))
        union all
        select merchant_id, project_id, kind, subject_id, span, starts_at, ${negative()}
          from revenue_totals where span <> 'quarter' or project_id = '${ALL_PROJECTS}') as parts
       group by merchant_id, project_id, kind, subject_id, span, starts_at
      having ${IS_WRONG}`,
  },
  {
    name: 'revenue-standings-agree',
    says: 'What customers and products brought since a range begins is the sum of their quarters of an hour.',
    violations: `
      select subject_id from (
        select t.merchant_id, t.project_id, r.range, t.kind, t.subject_id, t.gross_cents - t.refunded_cents as net_cents,
               t.payments_count
          from revenue_ranges r
          join revenue_totals t on t.merchant_id = r.merchant_id and t.project_id = r.project_id
         where t.kind <> 'all' and t.span = 'quarter' and t.starts_at >= r.since
        union all
        select merchant_id, project_id, range, kind, subject_id, -net_cents, -payments_count from revenue_standings
      ) as parts
       group by merchant_id, project_id, range, kind, subject_id
      having sum(net_cents) <> 0 or sum(payments_count) <> 0`,
  },
];
