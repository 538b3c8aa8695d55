import type { Invariant } from '../platform/db/invariant.ts';
import { LEASE_MS } from './email.ts';

export const mailInvariants: Invariant[] = [
  {
    name: 'email-leases-end',
    says: 'No worker holds an e-mail for longer than twice the lease.',
    violations: `select id from emails
                  where lease_until < now() - interval '${LEASE_MS} milliseconds'`,
  },
];
