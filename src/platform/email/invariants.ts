import type { Invariant } from '../db/invariant.ts';
import { LEASE_MS } from './email.ts';

export const mailInvariants: Invariant[] = [
  {
    name: 'letter-leases-end',
    says: 'No worker holds an e-mail for longer than twice the time of a lease.',
    violations: `select id from emails
                  where lease_until < now() - interval '${LEASE_MS} milliseconds'`,
  },
];
