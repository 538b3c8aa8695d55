import { EXCEPTION_KINDS, type ExceptionKind } from '../../payments/transfers/exception.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { RecurringSum } from './monthly-cents.ts';

export interface Scope {
  merchantId: string;
  /** Null: all projects. */
  projectId: string | null;
}

export interface InvoiceSums {
  openCount: bigint;
  openCents: bigint;
  overdueCount: bigint;
  overdueCents: bigint;
}

/** Sums what is still owed on open invoices, and how much of it is late. */
export async function sumOpenInvoices(
  db: Queryable,
  { merchantId, projectId }: Scope,
  now: Date,
): Promise<InvoiceSums> {
  const [row] = await db.query<InvoiceSums>(
    `select count(*) as open_count, coalesce(sum(due), 0) as open_cents,
            count(*) filter (where due_at <= $3) as overdue_count,
            coalesce(sum(due) filter (where due_at <= $3), 0) as overdue_cents
       from (select due_at, greatest(total_cents - amount_paid_cents, 0) as due from invoices
              where merchant_id = $1 and ($2::uuid is null or project_id = $2) and status = 'open'
                and number is not null) as open`,
    [merchantId, projectId, now],
  );
  return row!;
}

export interface PaidSums {
  paidCount: bigint;
  paidCents: bigint;
  waivedCents: bigint;
}

export async function sumPaidInvoices(
  db: Queryable,
  { merchantId, projectId }: Scope,
  since: Date,
): Promise<PaidSums> {
  const [row] = await db.query<PaidSums>(
    `select count(*) as paid_count, coalesce(sum(total_cents - waived_cents), 0) as paid_cents,
            coalesce(sum(waived_cents), 0) as waived_cents from invoices
      where merchant_id = $1 and ($2::uuid is null or project_id = $2) and status = 'paid' and paid_at >= $3`,
    [merchantId, projectId, since],
  );
  return row!;
}

export interface RefundSums {
  refundedCount: bigint;
  refundedCents: bigint;
}

/** Sums refunds as the credit notes have them. */
export async function sumRefunds(
  db: Queryable,
  { merchantId, projectId }: Scope,
  since: Date,
): Promise<RefundSums> {
  const [row] = await db.query<RefundSums>(
    `select count(*) as refunded_count, coalesce(sum(amount_cents), 0) as refunded_cents from refunds
      where merchant_id = $1 and ($2::uuid is null or project_id = $2) and status = 'succeeded' and succeeded_at >= $3`,
    [merchantId, projectId, since],
  );
  return row!;
}

export interface BalanceSums {
  credits: bigint;
  cents: bigint;
}

export async function sumBalances(db: Queryable, { merchantId, projectId }: Scope): Promise<BalanceSums> {
  const [row] = await db.query<BalanceSums>(
    `select coalesce(sum(b.credits), 0) as credits, coalesce(sum(b.cents), 0) as cents
       from balances b join customers c on c.merchant_id = b.merchant_id and c.id = b.customer_id
      where b.merchant_id = $1 and ($2::uuid is null or c.project_id = $2)`,
    [merchantId, projectId],
  );
  return row!;
}

export interface LimitUse {
  projectId: string;
  projectName: string;
  monthlyVolumeLimitCents: bigint | null;
  volumeCents: bigint;
  monthlyRequestLimit: bigint | null;
  requestCount: bigint;
}

/** Projects that have a limit, with what they have used of it this month. */
export async function listLimitUse(
  db: Queryable,
  { merchantId, projectId }: Scope,
  month: string,
): Promise<LimitUse[]> {
  return db.query<LimitUse>(
    `select p.id as project_id, p.name as project_name, p.monthly_volume_limit_cents,
            coalesce(m.volume_cents, 0) as volume_cents, p.monthly_request_limit,
            coalesce(m.request_count, 0) as request_count
       from projects p
       left join project_months m on m.merchant_id = p.merchant_id and m.project_id = p.id and m.month = $3
      where p.merchant_id = $1 and ($2::uuid is null or p.id = $2) and p.archived_at is null
        and (p.monthly_volume_limit_cents is not null or p.monthly_request_limit is not null)
      order by p.id desc limit 100`,
    [merchantId, projectId, month],
  );
}

/** Deliveries that are being retried, or have failed for good since `since`. */
export async function countFailingDeliveries(
  db: Queryable,
  merchantId: string,
  since: Date,
): Promise<bigint> {
  const [row] = await db.query<{ count: bigint }>(
    `select count(*) from webhook_deliveries
      where merchant_id = $1 and (status = 'retrying' or (status = 'failed' and created_at >= $2))`,
    [merchantId, since],
  );
  return row!.count;
}

export interface OpenExceptions {
  kind: ExceptionKind;
  count: bigint;
  /** Null for another token, which has no cents. */
  amountCents: bigint | null;
}

/** Sums what waits for a decision, by kind: a double payment is not one that matched nothing. */
export async function sumOpenExceptions(db: Queryable, merchantId: string): Promise<OpenExceptions[]> {
  return db.query<OpenExceptions>(
    `select kind, count(*), case when kind <> 'wrong_mint' then sum(div(base_units, 10000)) end as amount_cents
       from payment_exceptions where merchant_id = $1 and status = 'open'
      group by kind order by array_position($2::text[], kind)`,
    [merchantId, EXCEPTION_KINDS],
  );
}

/** Revenue of live subscriptions, by interval. */
export async function sumRecurring(db: Queryable, { merchantId, projectId }: Scope): Promise<RecurringSum[]> {
  return db.query<RecurringSum>(
    `select p.recurring_interval as interval, p.recurring_interval_count as count, sum(p.unit_amount_cents * b.quantity::numeric) as cents
       from subscriptions b join prices p on p.merchant_id = b.merchant_id and p.id = b.price_id
      where b.merchant_id = $1 and ($2::uuid is null or b.project_id = $2) and b.status in ('active', 'past_due')
        and b.period_index >= 0
      group by 1, 2`,
    [merchantId, projectId],
  );
}

export async function countSubscriptions(
  db: Queryable,
  { merchantId, projectId }: Scope,
): Promise<{ status: string; count: bigint }[]> {
  return db.query(
    `select status, count(*) from subscriptions
      where merchant_id = $1 and ($2::uuid is null or project_id = $2) group by status`,
    [merchantId, projectId],
  );
}

/** Counts subscriptions that had begun and have ended since `since`. */
export async function countChurned(
  db: Queryable,
  { merchantId, projectId }: Scope,
  since: Date,
): Promise<bigint> {
  const [row] = await db.query<{ count: bigint }>(
    `select count(*) from subscriptions
      where merchant_id = $1 and ($2::uuid is null or project_id = $2) and status = 'canceled'
        and canceled_at >= $3 and period_index >= 0`,
    [merchantId, projectId, since],
  );
  return row!.count;
}

/** Transactions at the merchant's addresses that not enough Solana nodes agree on. */
export async function countDisputedPayments(db: Queryable, merchantId: string): Promise<bigint> {
  const [row] = await db.query<{ count: bigint }>(
    `select count(distinct d.signature) from node_disagreements d
       join watched_accounts w on w.destination = d.destination
      where w.merchant_id = $1 and d.decided_at is null`,
    [merchantId],
  );
  return row!.count;
}

/** Payout addresses that no turn of the watcher has read since before `before`. */
export async function countUnreadAddresses(db: Queryable, merchantId: string, before: Date): Promise<bigint> {
  const [row] = await db.query<{ count: bigint }>(
    'select count(*) from watched_accounts where merchant_id = $1 and problem_since < $2',
    [merchantId, before],
  );
  return row!.count;
}
