import { holderOf } from '../../accounts/customers/person.ts';
import type { Invariant } from '../../platform/db/invariant.ts';

export const usageInvariants: Invariant[] = [
  {
    name: 'usage-is-paid-once',
    says: 'Usage that cost credits has exactly one posting of that amount; other usage has none.',
    violations: `
      select u.id from usage_records u
        left join postings p on p.merchant_id = u.merchant_id and p.usage_record_id = u.id
         and p.counter_account = 'usage' and p.reverses_id is null
        left join subscriptions b on b.merchant_id = u.merchant_id and b.id = u.subscription_id
       group by u.merchant_id, u.id, b.customer_id
      having coalesce(sum(-p.delta_credits), 0) <> u.credits or count(p.id) <> least(u.credits, 1)
          or bool_or(p.customer_id is distinct from coalesce(u.customer_id, b.customer_id) and p.id is not null
                     and ${holderOf('p.merchant_id', 'p.customer_id')}
                         is distinct from ${holderOf('u.merchant_id', 'coalesce(u.customer_id, b.customer_id)')})`,
  },
];
