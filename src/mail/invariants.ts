import type { Invariant } from '../db/invariant.ts';
import { LEASE_MS } from './letter.ts';

export const mailInvariants: Invariant[] = [
  {
    name: 'letter-leases-end',
    says: 'No worker holds a letter for longer than twice the time of a lease.',
    violations: `select id from letters
                  where lease_until < now() - interval '${LEASE_MS} milliseconds'`,
  },
];
