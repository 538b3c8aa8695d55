import { idsOfPerson } from '../../accounts/customers/person.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import type { Subscription } from '../subscriptions/subscription.ts';

/**
 * The paid invoices of the current period and of what it was paid with: the last beginning or renewal, and every change
 * since. A renewal that is paid ahead comes later.
 */
const OF_PERIOD = `v.merchant_id = $1 and v.subscription_id = $2 and v.status = 'paid' and v.period_start < $3
        and (v.created_at, v.id) >= (
          select b.created_at, b.id from invoices b
           where b.merchant_id = $1 and b.subscription_id = $2 and b.status = 'paid' and b.period_start < $3
             and b.billing_reason <> 'subscription_change'
           order by b.created_at desc, b.id desc limit 1)`;

const valuesOf = ({ merchantId, id, currentPeriodEnd }: Subscription) => [merchantId, id, currentPeriodEnd];

/**
 * Part of each total that has arrived and stayed. Refunds count from the moment they are promised, as they do for
 * other refunds; one of money paid beyond the invoice takes nothing from it. Account credit counts as far as it was
 * taken.
 */
const KEPT = `select v.id as invoice_id,
            (select coalesce(-sum(p.delta_cents), 0) from postings p
              where p.merchant_id = v.merchant_id and p.invoice_id = v.id and p.counter_account = 'invoice') as credit_paid_cents,
            greatest(0, least(v.total_cents - v.waived_cents - coalesce(r.of_invoice, 0),
              div(coalesce(i.received_base_units, 0), 10000) - coalesce(r.of_intent, 0) - coalesce(e.cents, 0))) as kept_cents,
            (select coalesce(sum(p.delta_cents), 0) from postings p
              where p.merchant_id = v.merchant_id and p.invoice_id = v.id and p.counter_account = 'plan_change') as given_cents
       from invoices v
       left join (checkout_sessions s join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id)
         on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
       left join lateral (
         select sum(f.amount_cents) as of_intent,
                sum(f.amount_cents) filter (where f.reason <> 'overpaid' and x.kind is distinct from 'surplus') as of_invoice
           from refunds f left join payment_exceptions x on x.merchant_id = f.merchant_id and x.id = f.exception_id
          where f.merchant_id = i.merchant_id and f.payment_intent_id = i.id and f.status not in ('canceled', 'expired')) r on true
       left join lateral (
         select sum(div(x.base_units, 10000)) as cents from payment_exceptions x
          where x.merchant_id = i.merchant_id and x.intent_id = i.id
            and ((x.kind = 'over_refunded' and x.status in ('open', 'kept'))
              or (x.kind in ('surplus', 'duplicate_order', 'stray') and x.refund_id is null and not x.is_after_payment
                  and (x.status in ('returned', 'credited') or (x.kind = 'stray' and x.status <> 'linked'))))) e on true`;

export interface Kept {
  invoiceId: string;
  keptCents: Cents;
  creditPaidCents: Cents;
  givenCents: Cents;
}

/** Lists payments of the current period, the oldest first. */
export function listKept(db: Queryable, subscription: Subscription): Promise<Kept[]> {
  const sql = `${KEPT} where ${OF_PERIOD} order by v.created_at, v.id`;
  return db.query(sql, valuesOf(subscription));
}

/** A paid invoice of a subscription. */
export interface PeriodInvoice {
  merchantId: string;
  invoiceId: string;
  subscriptionId: string;
  customerId: string;
  createdAt: Date;
  totalCents: Cents;
}

export async function findPeriodInvoice(
  db: Queryable,
  merchantId: string,
  intentId: string,
): Promise<PeriodInvoice | undefined> {
  const [row] = await db.query<PeriodInvoice>(
    `select v.merchant_id, v.id as invoice_id, v.subscription_id,
            v.customer_id, v.created_at, v.total_cents
       from checkout_sessions s
       join invoices v on v.merchant_id = s.merchant_id and v.checkout_session_id = s.id
      where s.merchant_id = $1 and s.payment_intent_id = $2 and v.status = 'paid' and v.subscription_id is not null`,
    [merchantId, intentId],
  );
  return row;
}

/** The same for a paid invoice and all that paid for the same time: since the last beginning or renewal, until the next. The oldest first. */
export function listKeptWith(
  db: Queryable,
  { merchantId, subscriptionId, createdAt, invoiceId }: PeriodInvoice,
): Promise<Kept[]> {
  const begins = `b.merchant_id = $1 and b.subscription_id = $2 and b.status = 'paid' and b.billing_reason <> 'subscription_change'`;
  return db.query(
    `${KEPT} where v.merchant_id = $1 and v.subscription_id = $2 and v.status = 'paid'
        and (v.created_at, v.id) >= (select b.created_at, b.id from invoices b
              where ${begins} and (b.created_at, b.id) <= ($3, $4) order by b.created_at desc, b.id desc limit 1)
        and not exists (select from invoices b
              where ${begins} and (b.created_at, b.id) > ($3, $4) and (b.created_at, b.id) <= (v.created_at, v.id))
      order by v.created_at, v.id`,
    [merchantId, subscriptionId, createdAt, invoiceId],
  );
}

/** Credit of plan changes that was taken back for a reason, and not returned since. */
export function listRevokedCredit(
  db: Queryable,
  { merchantId, customerId }: { merchantId: string; customerId: string },
  reason: string,
): Promise<{ invoiceId: string; subscriptionId: string; takenCents: Cents }[]> {
  return db.query(
    `select p.invoice_id, v.subscription_id, -sum(p.delta_cents) as taken_cents
       from postings p join invoices v on v.merchant_id = p.merchant_id and v.id = p.invoice_id
      where p.merchant_id = $1 and p.customer_id in ${idsOfPerson('$1', '$2')} and p.counter_account = 'plan_change'
        and p.reason = $3
      group by p.invoice_id, v.subscription_id having sum(p.delta_cents) < 0`,
    [merchantId, customerId, reason],
  );
}

/** The intents that the current period was paid by. */
export async function listIntentsOfPeriod(db: Queryable, subscription: Subscription): Promise<Ref[]> {
  return db.query(
    `select i.merchant_id, i.id from invoices v
       join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
       join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
      where ${OF_PERIOD}`,
    valuesOf(subscription),
  );
}
