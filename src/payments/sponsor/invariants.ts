import type { Invariant } from '../../platform/db/invariant.ts';

export const sponsorInvariants: Invariant[] = [
  {
    name: 'fees-of-a-day-are-set-aside',
    says: 'What was set aside on a day covers the fees of its transactions that have not lapsed.',
    violations: `
      with signed as (
        select (created_at at time zone 'UTC')::date as day, sum(fee_lamports) as lamports, count(*) as transactions
          from sponsored_transactions where state <> 'dropped' group by 1)
      select coalesce(d.day, s.day)::text from sponsor_days d full join signed s on s.day = d.day
       where coalesce(d.spent_lamports, 0) < coalesce(s.lamports, 0)
          or coalesce(d.transactions, 0) < coalesce(s.transactions, 0)`,
  },
];
