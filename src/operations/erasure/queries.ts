import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import type { CustomerRef } from '../../platform/lib/ref.ts';
import { customerErasures, type Erasure } from './erasure.ts';

export const findErasure = (db: Queryable, { merchantId, customerId }: CustomerRef) =>
  customerErasures.find(db, { merchantId, customerId });

/** Undefined where it is finished, or another worker is at it. */
export const lockErasure = (tx: Queryable, { merchantId, customerId }: CustomerRef) =>
  customerErasures.find(tx, { merchantId, customerId }, 'and finished_at is null for update skip locked');

/** Lists unfinished erasures, those without progress for the longest time first. */
export async function listUnfinished(db: Queryable, limit: number): Promise<CustomerRef[]> {
  return db.query<CustomerRef>(
    `select merchant_id, customer_id from customer_erasures
      where finished_at is null and ${isOpenMerchant()} order by advanced_at limit $1`,
    [limit],
  );
}

/** Counts the unfinished ones, and finds the oldest of those that have not advanced since a moment. */
export async function countUnfinished(
  db: Queryable,
  since: Date,
): Promise<{ unfinished: number; stuck: number; merchantId: string | null; customerId: string | null }> {
  const [row] = await db.query<{
    unfinished: number;
    stuck: number;
    merchantId: string | null;
    customerId: string | null;
  }>(
    `select count(*)::integer as unfinished, count(*) filter (where advanced_at < $1)::integer as stuck,
            (array_agg(merchant_id order by advanced_at) filter (where advanced_at < $1))[1] as merchant_id,
            (array_agg(customer_id order by advanced_at) filter (where advanced_at < $1))[1] as customer_id
       from customer_erasures where finished_at is null and ${isOpenMerchant()}`,
    [since],
  );
  return row!;
}

/** Stores how far it is. Rows added after the count are overwritten as well. */
export function updateErasure(tx: Queryable, erasure: Erasure): Promise<void> {
  const { done } = erasure;
  const total = erasure.total !== null && erasure.total > done ? erasure.total : done;
  return customerErasures.store(tx, { ...erasure, total }, [
    'stage',
    'afterId',
    'afterEventObjectId',
    'afterEventSequence',
    'afterOperation',
    'afterKey',
    'done',
    'total',
    'advancedAt',
    'finishedAt',
  ]);
}

export interface UnderWay {
  hasSubscription: boolean;
  hasOpenInvoice: boolean;
  hasPayment: boolean;
  hasRefund: boolean;
}

/** Finds what must end before a customer can be deleted. */
export async function findUnderWay(
  tx: Queryable,
  { merchantId, customerId }: CustomerRef,
): Promise<UnderWay> {
  const [row] = await tx.query<UnderWay>(
    `select exists (select from subscriptions where merchant_id = $1 and customer_id = $2
                       and status in ('trialing', 'active', 'past_due')) as has_subscription,
            exists (select from invoices where merchant_id = $1 and customer_id = $2
                       and status = 'open' and billing_reason = 'manual') as has_open_invoice,
            exists (select from checkout_sessions s
                      join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
                     where s.merchant_id = $1 and s.customer_id = $2 and s.payment_status in ('processing', 'underpaid')
                       and s.unapplied_at is null and not i.is_refunding) as has_payment,
            exists (select from refunds where merchant_id = $1 and customer_id = $2
                       and (status in ('awaiting_address', 'ready', 'processing') or effects_due_at is not null))
              as has_refund`,
    [merchantId, customerId],
  );
  return row!;
}
