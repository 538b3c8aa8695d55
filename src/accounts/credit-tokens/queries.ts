import type { Queryable } from '../../platform/db/database.ts';

interface CustomerRef {
  merchantId: string;
  customerId: string;
}

/** How often a token of the customer was revoked, and when last; 0 and null where none was. */
export async function findRevocation(
  db: Queryable,
  { merchantId, customerId }: CustomerRef,
): Promise<{ generation: number; revokedAt: Date | null }> {
  const [row] = await db.query<{ generation: number; revokedAt: Date }>(
    `select generation, revoked_at from credit_token_revocations
      where merchant_id = $1 and customer_id = $2`,
    [merchantId, customerId],
  );
  return row ?? { generation: 0, revokedAt: null };
}

export async function updateGeneration(
  tx: Queryable,
  { merchantId, customerId }: CustomerRef,
  now: Date,
): Promise<void> {
  await tx.query(
    `insert into credit_token_revocations as r (merchant_id, customer_id, generation, revoked_at) values ($1, $2, 1, $3)
     on conflict (merchant_id, customer_id) do update set generation = r.generation + 1, revoked_at = $3`,
    [merchantId, customerId, now],
  );
}
