import { holderOf } from '../../accounts/customers/person.ts';
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
    name: 'merged-customer-has-no-balance',
    says: 'A customer who was merged into another has that one’s details and no balance of their own, and that one was not merged.',
    violations: `
      select c.id from customers c
        join customers o on o.merchant_id = c.merchant_id and o.id = c.merged_into_id
        left join balances b on b.merchant_id = c.merchant_id and b.customer_id = c.id
       where o.merged_into_id is not null or coalesce(b.credits, 0) <> 0 or coalesce(b.cents, 0) <> 0
          or (c.email, c.email_source, c.name, c.language, c.address, c.country, c.is_business, c.tax_ids)
             is distinct from (o.email, o.email_source, o.name, o.language, o.address, o.country, o.is_business, o.tax_ids)`,
  },
  {
    name: 'reversal-mirrors',
    says: 'A posting that reverses another is its exact opposite.',
    violations: `
      select r.id from postings r join postings p on p.merchant_id = r.merchant_id and p.id = r.reverses_id
       where r.delta_credits <> -p.delta_credits
          or (r.customer_id <> p.customer_id and ${holderOf('r.merchant_id', 'r.customer_id')} <> ${holderOf('p.merchant_id', 'p.customer_id')})
          or r.delta_cents <> -p.delta_cents`,
  },
];
