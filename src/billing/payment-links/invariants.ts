import type { Invariant } from '../../platform/db/invariant.ts';

export const linkInvariants: Invariant[] = [
  {
    name: 'link-payments-counted',
    says: 'A payment link has counted each of its paid sessions once.',
    violations: `
      select l.id from payment_links l
        left join checkout_sessions s on s.merchant_id = l.merchant_id and s.payment_link_id = l.id
                                     and s.status = 'complete'
       group by l.merchant_id, l.id
      having count(s.id) <> l.payments_count`,
  },
  {
    name: 'link-ends',
    says: 'A payment link that has reached its maximum number of payments is not active.',
    violations: `select id from payment_links where status = 'active' and payments_count >= max_payments`,
  },
];
