import type { Queryable } from '../../platform/db/database.ts';

/** Sums what other refunds already take of a payment's money. The caller holds the lock of the intent. */
export async function sumReservedOfIntent(
  tx: Queryable,
  merchantId: string,
  intentId: string,
  exceptId: string | null,
): Promise<bigint> {
  const [row] = await tx.query<{ cents: bigint }>(
    `select coalesce(sum(amount_cents), 0) as cents from refunds
      where merchant_id = $1 and payment_intent_id = $2 and status not in ('canceled', 'expired')
        and id is distinct from $3`,
    [merchantId, intentId, exceptId],
  );
  return row!.cents;
}

/** The same of the money of an exception, whose lock the caller holds. */
export async function sumReservedOfException(
  tx: Queryable,
  merchantId: string,
  exceptionId: string,
  exceptId: string | null,
): Promise<bigint> {
  const [row] = await tx.query<{ cents: bigint }>(
    `select coalesce(sum(amount_cents), 0) as cents from refunds
      where merchant_id = $1 and exception_id = $2 and status not in ('canceled', 'expired')
        and id is distinct from $3`,
    [merchantId, exceptionId, exceptId],
  );
  return row!.cents;
}

/**
 * Sums the part of an intent's money that refunds cannot send: kept, credited or returned by hand, listed part
 * payments, and what was sent beyond other refunds. If refunds have sent part of an exception, only the rest counts.
 */
export async function sumDecidedOfIntent(
  tx: Queryable,
  merchantId: string,
  intentId: string,
  except: { exceptionId: string | null; refundId: string | null },
): Promise<bigint> {
  const [row] = await tx.query<{ cents: bigint }>(
    `select coalesce(sum(greatest(0, div(e.base_units, 10000) - (
              select coalesce(sum(o.amount_cents), 0) from refunds o
               where o.merchant_id = e.merchant_id and o.exception_id = e.id
                 and o.status not in ('canceled', 'expired')))), 0) as cents
       from payment_exceptions e
       left join refunds r on r.merchant_id = e.merchant_id and r.id = e.refund_id
      where e.merchant_id = $1 and e.intent_id = $2 and e.id is distinct from $3
        and case e.kind
              when 'over_refunded' then e.status in ('open', 'kept') and e.refund_id is distinct from $4
              when 'stray' then e.status <> 'linked'
              when 'surplus' then e.status in ('kept', 'returned', 'credited') and not e.is_after_payment
              when 'duplicate_order' then e.status in ('returned', 'credited')
              else false end
        and (e.kind = 'over_refunded' or e.refund_id is null or r.exception_id = e.id)`,
    [merchantId, intentId, except.exceptionId, except.refundId],
  );
  return row!.cents;
}

/** True if a refund of an intent that names no exception returns an overpayment. */
export async function hasRefundOfSurplus(
  tx: Queryable,
  merchantId: string,
  intentId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `select from refunds
      where merchant_id = $1 and payment_intent_id = $2 and exception_id is null and reason = 'overpaid'
        and status not in ('canceled', 'expired') limit 1`,
    [merchantId, intentId],
  );
  return rows.length > 0;
}
