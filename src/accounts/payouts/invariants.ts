import type { Invariant } from '../../platform/db/invariant.ts';

export const payoutInvariants: Invariant[] = [
  {
    name: 'payout-addresses-unshared',
    says: 'A payout address belongs to one merchant. These merchants have shared one since before this rule: give each its own, or verify it by signature.',
    violations: `
      select p.merchant_id from payout_addresses p
       where p.is_shared
         and (exists (select from merchants m where m.id = p.merchant_id and m.payout_address = p.address)
           or exists (select from projects j where j.merchant_id = p.merchant_id and j.payout_address = p.address))`,
  },
  {
    name: 'unmatched-money-has-its-owner',
    says: 'Money without a payment intent goes to the merchant that owns the address.',
    violations: `
      select w.destination from watched_accounts w
        join payout_addresses p on p.address = w.destination and not p.is_shared
       where p.merchant_id <> w.merchant_id`,
  },
];
