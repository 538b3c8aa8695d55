import type { Queryable } from '../db/database.ts';
import { stringifyJson } from '../lib/json.ts';
import type { NewPlanEmail } from './email.ts';

/** Once for its kind and change of the subscription, and only to a customer who has an address. */
export async function insertPlanEmail(
  tx: Queryable,
  email: NewPlanEmail & { id: string },
  now: Date,
): Promise<void> {
  const { merchantId, id, projectId, customerId, kind, subscriptionId, number, facts } = email;
  const stored = stringifyJson({ ...facts, dueCents: facts.dueCents.toString() });
  await tx.query(
    `insert into emails (merchant_id, id, project_id, customer_id, kind, subscription_id, number, facts, next_attempt_at, created_at)
     select merchant_id, $2, project_id, id, $5, $6, $7, $8, $9, $9
       from customers where merchant_id = $1 and project_id = $3 and id = $4 and email is not null
         on conflict (merchant_id, subscription_id, kind, number) where subscription_id is not null do nothing`,
    [merchantId, id, projectId, customerId, kind, subscriptionId, number, stored, now],
  );
}
