import type { Queryable } from '../db/database.ts';
import type { NewSignInEmail } from './email.ts';

/** Only to a customer who has an address. */
export async function insertSignInEmail(
  tx: Queryable,
  email: NewSignInEmail & { id: string },
  now: Date,
): Promise<void> {
  const { merchantId, id, projectId, customerId, kind, facts, sealedLink } = email;
  await tx.query(
    `insert into emails (merchant_id, id, project_id, customer_id, kind, number, facts, sealed_link, next_attempt_at, created_at)
     select merchant_id, $2, project_id, id, $5, 1, $6, $7, $8, $8
       from customers where merchant_id = $1 and project_id = $3 and id = $4 and email is not null`,
    [merchantId, id, projectId, customerId, kind, JSON.stringify(facts), sealedLink, now],
  );
}
