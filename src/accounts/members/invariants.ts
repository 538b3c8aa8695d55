import type { Invariant } from '../../platform/db/invariant.ts';

export const memberInvariants: Invariant[] = [
  {
    name: 'an-owner-can-sign-in',
    says: 'A merchant that has members has an owner who can sign in.',
    violations: `
      select m.merchant_id from members m where m.removed_at is null
       group by m.merchant_id
      having not bool_or(m.role = 'owner' and m.disabled_at is null and (
               m.password_hash is not null
               or exists (select from passkeys p where p.merchant_id = m.merchant_id and p.member_id = m.id)))`,
  },
];
