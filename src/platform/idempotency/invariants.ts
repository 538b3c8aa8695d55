import type { Invariant } from '../db/invariant.ts';

export const idempotencyInvariants: Invariant[] = [
  {
    name: 'one-effect-per-key',
    says: 'Every stored answer belongs to one effect, and no two keys share one.',
    violations: `
      select operation || ' ' || resource_id from idempotency_keys
       where resource_id is not null group by operation, resource_id having count(*) > 1`,
  },
];
