import { holderOf, idsOfPerson } from '../../accounts/customers/person.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { folded } from '../../platform/db/folded.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { type TrialOf, trials } from './trial.ts';

/** The address proves nothing: a stranger typed it, or the customer did in an earlier purchase or in the portal. */
const IS_TYPED = `($6::boolean or exists (
  select from customers c where c.merchant_id = $1 and c.id = $4 and c.email_source = 'typed' and ${folded('c.email')} = ${folded('$5')}))`;

/**
 * False where the customer, or the address, has one of this product: the indexes decide. One that is only typed also yields
 * to whose it is, and never the other way around.
 */
export async function insertTrial(tx: Queryable, trial: TrialOf, productId: string): Promise<boolean> {
  const rows = await tx.query(
    `with typed as materialized (select ${IS_TYPED} as is_typed)
     insert into trials (merchant_id, session_id, product_id, customer_id, email, created_at, is_typed)
     select $1, $2, $3, ${holderOf('$1', '$4')}, ${folded('$5')}, $7, is_typed from typed
      where not (is_typed and exists (
              select from trials where merchant_id = $1 and product_id = $3 and email = ${folded('$5')}))
        and not exists (
              select from trials where merchant_id = $1 and product_id = $3 and customer_id in ${idsOfPerson('$1', '$4')})
         on conflict do nothing returning session_id`,
    [
      ...[trial.merchantId, trial.sessionId, productId, trial.customerId],
      ...[trial.email, trial.isTyped, trial.createdAt],
    ],
  );
  return rows.length > 0;
}

/** The trial that a session has; undefined while it is not certain. */
export const findTrial = (db: Queryable, { merchantId, id }: Ref) =>
  trials.find(db, { merchantId, sessionId: id });

export async function deleteTrial(tx: Queryable, { merchantId, id }: Ref): Promise<void> {
  await tx.query('delete from trials where merchant_id = $1 and session_id = $2', [merchantId, id]);
}

export async function updateCustomer(
  tx: Queryable,
  { merchantId, id, customerId }: { merchantId: string; id: string; customerId: string | null },
): Promise<void> {
  await tx.query(
    `update trials set customer_id = ${holderOf('$1', '$3')} where merchant_id = $1 and session_id = $2`,
    [merchantId, id, customerId],
  );
}

/** Trials of a customer who is merged into another count as that one's, but for products that both have tried. */
export async function updateMergedCustomer(
  tx: Queryable,
  { merchantId, id, intoId }: { merchantId: string; id: string; intoId: string },
): Promise<void> {
  await tx.query(
    `update trials t set customer_id = $3
      where merchant_id = $1 and customer_id = $2
        and not exists (select from trials o where o.merchant_id = $1 and o.product_id = t.product_id and o.customer_id = $3)`,
    [merchantId, id, intoId],
  );
}
