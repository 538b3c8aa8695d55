import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { notSetAside } from '../../platform/set-aside/not-set-aside.ts';

export async function deleteDraft(tx: Queryable, { merchantId, id }: Ref): Promise<void> {
  await tx.query(`delete from invoices where merchant_id = $1 and id = $2 and status = 'draft'`, [
    merchantId,
    id,
  ]);
}

/** Invoices whose next reminder is due, the longest due first. */
export const REMINDERS = 'remind of invoices';

export async function listDueSteps(db: Queryable, now: Date, limit: number): Promise<Ref[]> {
  return db.query<Ref>(
    `select merchant_id, id from invoices where next_step_at <= $1 and ${isOpenMerchant()}
        and ${notSetAside(REMINDERS, '$1', { merchantId: 'invoices.merchant_id', id: 'invoices.id' })}
      order by next_step_at limit $2`,
    [now, limit],
  );
}
