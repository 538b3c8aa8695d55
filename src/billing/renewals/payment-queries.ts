import type { Queryable } from '../../platform/db/database.ts';
import type { Cents } from '../../platform/lib/money.ts';
import type { Subscription } from '../subscriptions/subscription.ts';

const OF_PERIOD = `v.merchant_id = $1 and v.subscription_id = $2 and v.status = 'paid'
        and v.period_start >= $3 and v.period_start < $4
        and v.period_end = coalesce($5::timestamptz, v.period_end) and v.created_at < coalesce($6::timestamptz, 'infinity')`;

/** Which paid invoices of a subscription: those of its current period, or those of a period that a change cut short. */
export interface PaidFor {
  startsFrom: Date | '-infinity';
  startsBefore: Date;
  endsAt: Date | null;
  createdBefore: Date | null;
}

export function currentPeriod({ currentPeriodStart, currentPeriodEnd }: Subscription): PaidFor {
  return {
    startsFrom: currentPeriodStart!,
    startsBefore: currentPeriodEnd!,
    endsAt: null,
    createdBefore: null,
  };
}

const valuesOf = ({ merchantId, id }: Subscription, period: PaidFor) => [
  merchantId,
  id,
  ...[period.startsFrom, period.startsBefore, period.endsAt, period.createdBefore],
];

/**
 * How much of each total has arrived and stayed. Refunds count from the moment they are promised, as they do for other
 * refunds; one of what was paid beyond the invoice takes nothing from it.
 */
export async function listKept(
  db: Queryable,
  subscription: Subscription,
  period: PaidFor,
): Promise<{ invoiceId: string; keptCents: Cents }[]> {
  return db.query(
    `select v.id as "invoiceId",
            greatest(0, least(v.total_cents - v.waived_cents - coalesce(r.of_invoice, 0),
              div(coalesce(i.received_base_units, 0), 10000) - coalesce(r.of_intent, 0) - coalesce(e.cents, 0)))::bigint as "keptCents"
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
              or (x.kind in ('surplus', 'duplicate_order', 'stray') and x.refund_id is null
                  and (x.status in ('returned', 'credited') or (x.kind = 'stray' and x.status <> 'linked'))))) e on true
      where ${OF_PERIOD} order by v.created_at, v.id`,
    valuesOf(subscription, period),
  );
}

/** The intents that the current period was paid by. */
export async function listIntentsOfPeriod(
  db: Queryable,
  subscription: Subscription,
): Promise<{ merchantId: string; id: string }[]> {
  return db.query(
    `select i.merchant_id as "merchantId", i.id from invoices v
       join checkout_sessions s on s.merchant_id = v.merchant_id and s.id = v.checkout_session_id
       join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
      where ${OF_PERIOD}`,
    valuesOf(subscription, currentPeriod(subscription)),
  );
}
