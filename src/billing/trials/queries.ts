import type { Queryable } from '../../platform/db/database.ts';
import type { NewTrial, SessionOfTrial } from './trial.ts';

/** False where the customer, or the address, has one of this product: the indexes decide. */
export async function insertTrial(tx: Queryable, trial: NewTrial): Promise<boolean> {
  const rows = await tx.query(
    `insert into trials (merchant_id, session_id, product_id, customer_id, email, created_at)
     values ($1, $2, $3, $4, lower($5), $6) on conflict do nothing returning session_id`,
    [trial.merchantId, trial.sessionId, trial.productId, trial.customerId, trial.email, trial.createdAt],
  );
  return rows.length > 0;
}

export async function deleteTrial(
  tx: Queryable,
  { merchantId, id }: { merchantId: string; id: string },
): Promise<void> {
  await tx.query('delete from trials where merchant_id = $1 and session_id = $2', [merchantId, id]);
}

/** Takes a released trial again; false if the customer or the address has another one by now. */
export async function insertTrialOfSession(tx: Queryable, session: SessionOfTrial): Promise<boolean> {
  const rows = await tx.query(
    `insert into trials (merchant_id, session_id, product_id, customer_id, email, created_at)
     select merchant_id, $2, product_id, $4, lower($5), $6 from prices where merchant_id = $1 and id = $3
         on conflict do nothing returning session_id`,
    [
      session.merchantId,
      session.id,
      session.priceId,
      session.customerId,
      session.customerEmail,
      session.createdAt,
    ],
  );
  return rows.length > 0;
}

export async function updateCustomer(
  tx: Queryable,
  { merchantId, id, customerId }: Pick<SessionOfTrial, 'merchantId' | 'id' | 'customerId'>,
): Promise<void> {
  await tx.query('update trials set customer_id = $3 where merchant_id = $1 and session_id = $2', [
    merchantId,
    id,
    customerId,
  ]);
}
