import type { Queryable } from '../../platform/db/database.ts';
import type { Ref } from '../../platform/lib/ref.ts';
import { halfPaidSince, isHalfPaid } from '../discounts/half-paid.ts';

/**
 * Checkouts of a link that have a place: those that are open, those whose whole payment is being made, and those of the
 * last day that at least half was paid for. What the link may still sell is theirs first.
 */
export async function countHeld(
  db: Queryable,
  { merchantId, id }: Ref,
  now: Date,
  besides: { sessionId: string } | undefined = undefined,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select (select count(*)::int from checkout_sessions
              where merchant_id = $1 and payment_link_id = $2 and status = 'open' and id is distinct from $4)
          + (select count(*)::int from checkout_sessions s
               join payment_intents i on i.merchant_id = s.merchant_id and i.id = s.payment_intent_id
              where s.merchant_id = $1 and s.payment_link_id = $2 and s.status = 'expired' and s.id is distinct from $4
                and ((s.payment_status = 'processing' and s.unapplied_at is null) or ${isHalfPaid('s', 'i', '$3')})) as count`,
    [merchantId, id, halfPaidSince(now), besides?.sessionId ?? null],
  );
  return row!.count;
}

/** Lists which of these checkouts are open and not being paid in full. */
export async function listUnpaidAmong(
  db: Queryable,
  merchantId: string,
  sessionIds: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id from checkout_sessions
      where merchant_id = $1 and id = any($2) and status = 'open' and payment_status in ('unpaid', 'underpaid')`,
    [merchantId, sessionIds],
  );
  return rows.map(({ id }) => id);
}
