import type { Invariant } from '../../platform/db/invariant.ts';

export const reservationInvariants: Invariant[] = [
  {
    name: 'reserved-amounts-are-at-their-address',
    says: 'An amount is reserved at the address that its intent is paid to.',
    violations: `
      select r.intent_id from reserved_amounts r
        join payment_intents i on i.merchant_id = r.merchant_id and i.id = r.intent_id
       where i.destination_address <> r.destination`,
  },
];
