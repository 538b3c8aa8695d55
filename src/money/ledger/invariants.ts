import type { Invariant } from '../../platform/db/invariant.ts';
import { MAY_BE_PRUNED } from '../../platform/events/pruned.ts';

export const ledgerInvariants: Invariant[] = [
  {
    name: 'balance-is-sum-of-postings',
    says: 'A balance is the sum of its postings, and the newest posting says the same.',
    violations: `
      select b.customer_id from balances b
        left join postings p on p.merchant_id = b.merchant_id and p.customer_id = b.customer_id
       group by b.merchant_id, b.customer_id
      having coalesce(sum(p.delta_credits), 0) <> b.credits or coalesce(sum(p.delta_cents), 0) <> b.cents
      union all
      select p.customer_id from postings p
       where not exists (select from balances b where b.merchant_id = p.merchant_id and b.customer_id = p.customer_id)
      union all
      select b.customer_id from balances b
       where b.sequence > 0
         and not exists (select from postings p where p.merchant_id = b.merchant_id and p.customer_id = b.customer_id
                            and p.credits_after = b.credits and p.cents_after = b.cents)`,
  },
  {
    name: 'balance-events-without-gaps',
    says: 'Every posting has its events, and the events of a balance are numbered without a gap.',
    violations: `
      select b.customer_id from balances b
        left join events e on e.merchant_id = b.merchant_id and e.object_id = b.customer_id
                          and e.object_type = 'customer_balance'
       group by b.merchant_id, b.customer_id, b.sequence
      having (count(e.id) <> b.sequence and not ${MAY_BE_PRUNED('b.merchant_id')})
          or coalesce(max(e.sequence), 0) <> b.sequence
      union all
      select b.customer_id from balances b
       where (select count(*) from postings p where p.merchant_id = b.merchant_id and p.customer_id = b.customer_id) > b.sequence`,
  },
  {
    name: 'reversal-mirrors',
    says: 'A posting that reverses another is its exact opposite.',
    violations: `
      select r.id from postings r join postings p on p.merchant_id = r.merchant_id and p.id = r.reverses_id
       where r.delta_credits <> -p.delta_credits or r.delta_cents <> -p.delta_cents or r.customer_id <> p.customer_id`,
  },
];
