import { integer, timestamp, uuid } from '../../platform/db/columns.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { table } from '../../platform/db/table.ts';
import type { CustomerRef } from '../../platform/lib/ref.ts';

const creditTokenRevocations = table(
  'credit_token_revocations',
  { merchantId: uuid, customerId: uuid, generation: integer, revokedAt: timestamp },
  ['merchantId', 'customerId'],
);

/** How often a token of the customer was revoked, and when last; 0 and null where none was. */
export async function findRevocation(
  db: Queryable,
  customer: CustomerRef,
): Promise<{ generation: number; revokedAt: Date | null }> {
  return (await creditTokenRevocations.find(db, customer)) ?? { generation: 0, revokedAt: null };
}

export async function updateGeneration(tx: Queryable, customer: CustomerRef, now: Date): Promise<void> {
  await creditTokenRevocations.insert(
    tx,
    { ...customer, generation: 1, revokedAt: now },
    `on conflict (merchant_id, customer_id)
     do update set generation = credit_token_revocations.generation + 1, revoked_at = excluded.revoked_at`,
  );
}
