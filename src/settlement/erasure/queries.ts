import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import type { Erasure, ErasureRef } from './erasure.ts';

const COLUMNS = `
  merchant_id, customer_id, project_id,
  discarded_credits, discarded_cents, stage, after_id,
  after_event_object_id, after_event_sequence,
  after_operation, after_key, done, total, created_at,
  advanced_at, finished_at`;

export async function findErasure(
  db: Queryable,
  { merchantId, customerId }: ErasureRef,
): Promise<Erasure | undefined> {
  const [row] = await db.query<Erasure>(
    `select ${COLUMNS} from customer_erasures where merchant_id = $1 and customer_id = $2`,
    [merchantId, customerId],
  );
  return row;
}

/** Undefined where it is finished, or another worker is at it. */
export async function lockErasure(
  tx: Queryable,
  { merchantId, customerId }: ErasureRef,
): Promise<Erasure | undefined> {
  const [row] = await tx.query<Erasure>(
    `select ${COLUMNS} from customer_erasures
      where merchant_id = $1 and customer_id = $2 and finished_at is null for update skip locked`,
    [merchantId, customerId],
  );
  return row;
}

/** Lists unfinished erasures, those without progress for the longest time first. */
export async function listUnfinished(db: Queryable, limit: number): Promise<ErasureRef[]> {
  return db.query<ErasureRef>(
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

export async function insertErasure(tx: Queryable, erasure: Erasure): Promise<void> {
  await tx.query(
    `insert into customer_erasures (merchant_id, customer_id, project_id, discarded_credits, discarded_cents, stage,
                                    created_at, advanced_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      erasure.merchantId,
      erasure.customerId,
      erasure.projectId,
      erasure.discardedCredits,
      erasure.discardedCents,
      erasure.stage,
      erasure.createdAt,
      erasure.advancedAt,
    ],
  );
}

/** Rows added after the count are overwritten as well. */
export async function updateErasure(tx: Queryable, erasure: Erasure): Promise<void> {
  await tx.query(
    `update customer_erasures
        set stage = $3, after_id = $4, after_event_object_id = $5, after_event_sequence = $6, after_operation = $7,
            after_key = $8, done = $9::bigint, total = greatest($10::bigint, $9::bigint), finished_at = $11, advanced_at = $12
      where merchant_id = $1 and customer_id = $2`,
    [
      erasure.merchantId,
      erasure.customerId,
      erasure.stage,
      erasure.afterId,
      erasure.afterEventObjectId,
      erasure.afterEventSequence,
      erasure.afterOperation,
      erasure.afterKey,
      erasure.done,
      erasure.total,
      erasure.finishedAt,
      erasure.advancedAt,
    ],
  );
}

export interface UnderWay {
  hasSubscription: boolean;
  hasOpenInvoice: boolean;
  hasPayment: boolean;
  hasRefund: boolean;
}

/** Finds what must end before a customer can be deleted. */
export async function findUnderWay(tx: Queryable, { merchantId, customerId }: ErasureRef): Promise<UnderWay> {
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
