import type { ExceptionKind } from '../../payments/transfers/exception.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { RecurringSum } from '../overview/monthly-cents.ts';
import type { BooksPeriod } from './fact.ts';

const PROJECT = (column: string) => `($2::uuid is null or ${column} = $2)`;
const valuesOf = ({ merchantId, projectId, from, to }: BooksPeriod) => [merchantId, projectId, from, to];

/** The last event of an object before a moment says what it was then. */
const STATE_BEFORE = (object: string, moment: string) => `
  select e.status, e.body::jsonb -> 'data' as data from events e
   where e.merchant_id = $1 and e.object_id = ${object} and e.created_at < ${moment}
   order by e.sequence desc limit 1`;

/** Sums the recurring amounts of subscriptions as they were before `at`, by interval of renewal. */
export async function sumRecurringBefore(
  db: Queryable,
  { merchantId, projectId }: Pick<BooksPeriod, 'merchantId' | 'projectId'>,
  at: Date,
): Promise<RecurringSum[]> {
  return db.query<RecurringSum>(
    `select p.recurring_interval as interval, p.recurring_interval_count as count,
            sum(p.unit_amount_cents * (past.data -> 'subscription' ->> 'quantity')::numeric) as cents
       from subscriptions b
      cross join lateral (${STATE_BEFORE('b.id', '$3')}) as past
       join prices p on p.merchant_id = b.merchant_id and p.id = (past.data -> 'subscription' ->> 'priceId')::uuid
      where b.merchant_id = $1 and ${PROJECT('b.project_id')} and b.created_at < $3
        and past.status in ('active', 'past_due')
        and (past.data -> 'subscription' ->> 'trialEndsAt' is null
             or (past.data -> 'subscription' ->> 'currentPeriodStart')::timestamptz
                >= (past.data -> 'subscription' ->> 'trialEndsAt')::timestamptz)
      group by 1, 2`,
    [merchantId, projectId, at],
  );
}

export interface OpenInvoice {
  id: string;
  number: string;
  customerName: string | null;
  customerEmail: string | null;
  issuedAt: Date;
  dueAt: Date | null;
  dueCents: bigint;
}

/** Numbered invoices that were open before `at` and what was still due on them, oldest first. */
export async function listOpenBefore(
  db: Queryable,
  { merchantId, projectId }: Pick<BooksPeriod, 'merchantId' | 'projectId'>,
  at: Date,
  limit: number,
): Promise<{ invoices: OpenInvoice[]; count: bigint; cents: bigint }> {
  const rows = await db.query<OpenInvoice & { count: bigint; cents: bigint }>(
    `select v.id, v.number_text as number, c.name as customer_name, c.email as customer_email,
            coalesce(v.opened_at, v.created_at) as issued_at, v.due_at, v.due as due_cents,
            v.count, v.cents
       from (select v.*, d.due, count(*) over () as count, sum(d.due) over () as cents
               from invoices v
              cross join lateral (${STATE_BEFORE('v.id', '$3')}) as past
              cross join lateral (select (past.data -> 'invoice' ->> 'amountDueCents')::bigint as due) as d
              where v.merchant_id = $1 and ${PROJECT('v.project_id')} and v.number is not null
                and v.created_at < $3 and (v.status <> 'paid' or v.paid_at >= $3) and past.status = 'open'
              order by v.id limit $4) as v
       left join customers c on c.merchant_id = $1 and c.id = v.customer_id
      order by v.id`,
    [merchantId, projectId, at, limit],
  );
  const [first] = rows;
  return {
    invoices: rows.map(({ count: _count, cents: _cents, ...invoice }) => invoice),
    count: first?.count ?? 0n,
    cents: first?.cents ?? 0n,
  };
}

export interface ExceptionSum {
  kind: ExceptionKind;
  /** Raised in the period. */
  raisedCount: bigint;
  /** Null where it is not USDC. */
  raisedCents: bigint | null;
  /** Number of exceptions that were not decided when the period ended. */
  openCount: bigint;
  openCents: bigint | null;
}

export async function sumExceptions(db: Queryable, period: BooksPeriod): Promise<ExceptionSum[]> {
  const cents = (which: string) =>
    `case when kind <> 'wrong_mint' then coalesce(sum(div(base_units, 10000)) filter (where ${which}), 0) end`;
  const raised = 'created_at >= $3';
  const open = '(resolved_at is null or resolved_at >= $4)';
  return db.query<ExceptionSum>(
    `select kind, count(*) filter (where ${raised}) as raised_count, ${cents(raised)} as raised_cents,
            count(*) filter (where ${open}) as open_count, ${cents(open)} as open_cents
       from (select e.* from payment_exceptions e
               left join checkout_sessions s on s.merchant_id = e.merchant_id
                and s.payment_intent_id = coalesce(e.linked_intent_id, e.intent_id)
              where e.merchant_id = $1 and e.status <> 'dust' and e.created_at < $4
                and (e.created_at >= $3 or e.resolved_at is null or e.resolved_at >= $4)
                and ${PROJECT('s.project_id')}) as e
      group by kind order by kind`,
    valuesOf(period),
  );
}

export interface SponsoredFees {
  count: bigint;
  lamports: bigint;
}

/** Network fees that the service paid for payers. */
export async function sumSponsoredFees(db: Queryable, period: BooksPeriod): Promise<SponsoredFees> {
  const [row] = await db.query<SponsoredFees>(
    `select count(*), coalesce(sum(t.fee_lamports), 0) as lamports
       from sponsored_transactions t
       left join checkout_sessions s on s.merchant_id = t.merchant_id and s.payment_intent_id = t.intent_id
      where t.merchant_id = $1 and t.state = 'landed' and t.created_at >= $3 and t.created_at < $4
        and ${PROJECT('s.project_id')}`,
    valuesOf(period),
  );
  return row!;
}
