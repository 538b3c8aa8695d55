import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { notSetAside } from '../../platform/set-aside/not-set-aside.ts';
import { OWN_COLUMNS, type Row, toSubscription } from './queries.ts';
import type { Subscription } from './subscription.ts';

export interface DueRef extends Ref {
  projectId: string;
}

/** Name of this work in the records of work set aside. */
export const RENEWALS = 'take steps of subscriptions';

/** Subscriptions with a due step; found by the index alone. */
export async function listDue(db: Queryable, now: Date, limit: number): Promise<DueRef[]> {
  return db.query(
    `select merchant_id, id, project_id from subscriptions
      where next_step_at <= $1 and ${isOpenMerchant()} and ${notSetAside(RENEWALS, '$1')} order by next_step_at limit $2`,
    [now, limit],
  );
}

/** Counts subscriptions with a due step, up to `most`. */
export async function countDue(db: Queryable, now: Date, most: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from (
       select from subscriptions where next_step_at <= $1 and ${isOpenMerchant()} limit $2) as due`,
    [now, most],
  );
  return row!.count;
}

const WANTED = 'unnest($1::uuid[], $2::uuid[]) as w(merchant_id, id)';

function wanted(refs: readonly Ref[]) {
  return [refs.map((ref) => ref.merchantId), refs.map((ref) => ref.id)];
}

/** Locks those that are still due once concurrent workers are done with them. */
export async function lockDue(db: Queryable, refs: readonly DueRef[], now: Date): Promise<DueRef[]> {
  return db.query(
    `select b.merchant_id, b.id, b.project_id
       from ${WANTED} join subscriptions b on b.merchant_id = w.merchant_id and b.id = w.id
      where b.next_step_at <= $3 order by b.merchant_id, b.id for no key update of b`,
    [...wanted(refs), now],
  );
}

/** Locks those whose next period is due to be requested and that no other worker has locked. */
export async function lockUnasked(tx: Queryable, refs: readonly Ref[], now: Date): Promise<Subscription[]> {
  const rows = await tx.query<Row>(
    `select ${OWN_COLUMNS}, null as renewal_checkout_url
       from ${WANTED}
       join subscriptions b on b.merchant_id = w.merchant_id and b.id = w.id
       join customers c on c.merchant_id = b.merchant_id and c.id = b.customer_id
      where b.next_step_at <= $3 and b.status = 'active' and b.renewal_invoice_id is null
        and not b.cancel_at_period_end and b.paid_through = b.current_period_end
        for no key update of b skip locked`,
    [...wanted(refs), now],
  );
  return rows.map(toSubscription);
}

/** Stores the requested next period of any number of locked subscriptions. */
export async function updateAsked(tx: Queryable, subscriptions: readonly Subscription[]): Promise<void> {
  await tx.query(
    `update subscriptions b
        set renewal_invoice_id = w.invoice_id, latest_invoice_id = w.invoice_id, grace_ends_at = w.grace_ends_at,
            reminders_sent = w.reminders_sent, next_step_at = w.next_step_at, sequence = w.sequence
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::int[], $6::timestamptz[], $7::int[])
              as w(merchant_id, id, invoice_id, grace_ends_at, reminders_sent, next_step_at, sequence)
      where b.merchant_id = w.merchant_id and b.id = w.id`,
    [
      ...wanted(subscriptions),
      subscriptions.map((subscription) => subscription.renewalInvoiceId),
      subscriptions.map((subscription) => subscription.graceEndsAt),
      subscriptions.map((subscription) => subscription.remindersSent),
      subscriptions.map((subscription) => subscription.nextStepAt),
      subscriptions.map((subscription) => subscription.sequence),
    ],
  );
}
