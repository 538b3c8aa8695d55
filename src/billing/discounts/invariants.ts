import type { Invariant } from '../../platform/db/invariant.ts';

export const discountInvariants: Invariant[] = [
  {
    name: 'redemptions-are-counted',
    says: 'A discount counts exactly the open and paid checkouts that have it.',
    violations: `
      select d.id from discounts d
        left join discount_redemptions r on r.merchant_id = d.merchant_id and r.discount_id = d.id
       group by d.merchant_id, d.id, d.redemptions_count having count(r.session_id) <> d.redemptions_count`,
  },
  {
    name: 'closed-sessions-give-back',
    says: 'A checkout that closed unpaid keeps no redemption.',
    violations: `
      select s.id from discount_redemptions r
        join checkout_sessions s on s.merchant_id = r.merchant_id and s.id = r.session_id
       where s.status in ('canceled', 'expired')`,
  },
];
