import type { Queryable } from '../platform/db/database.ts';

/** Intents created per day, counted on the primary key alone: `bounds` are the first ids of each day. */
export async function listCreatedByDay(
  db: Queryable,
  merchantId: string,
  bounds: readonly string[],
): Promise<{ day: number; count: number }[]> {
  return db.query(
    `select (d.ordinal - 1)::integer as day, c.count::integer as count
       from unnest($2::uuid[], $3::uuid[]) with ordinality as d(from_id, to_id, ordinal)
      cross join lateral (select count(*) from payment_intents i
                           where i.merchant_id = $1 and i.id >= d.from_id and i.id < d.to_id) as c`,
    [merchantId, bounds.slice(0, -1), bounds.slice(1)],
  );
}

/**
 * Amounts sent back per day, each from its start until the next one, of payments that succeeded: nothing else is in
 * the volume.
 */
export async function listRefundedByDay(
  db: Queryable,
  merchantId: string,
  starts: readonly Date[],
): Promise<{ day: number; refundedCents: bigint }[]> {
  return db.query(
    `select width_bucket(r.succeeded_at, $2::timestamptz[]) - 1 as day,
            sum(r.amount_cents) as refunded_cents
       from refunds r
       join payment_intents i on i.merchant_id = r.merchant_id and i.id = r.payment_intent_id
      where r.merchant_id = $1 and r.status = 'succeeded' and r.succeeded_at >= $3 and r.succeeded_at < $4
        and i.status = 'succeeded'
      group by 1`,
    [merchantId, starts, starts[0], starts.at(-1)],
  );
}

/** Successes and what they brought per day, each from its start until the next one. Each amount is floored to cents once. */
export async function listSucceededByDay(
  db: Queryable,
  merchantId: string,
  starts: readonly Date[],
): Promise<{ day: number; count: number; volumeCents: bigint }[]> {
  return db.query(
    `select width_bucket(succeeded_at, $2::timestamptz[]) - 1 as day,
            count(*)::integer as count,
            sum(div(received_base_units, 10000)) as volume_cents
       from payment_intents
      where merchant_id = $1 and status = 'succeeded' and succeeded_at >= $3 and succeeded_at < $4
      group by 1`,
    [merchantId, starts, starts[0], starts.at(-1)],
  );
}

export interface WaivedSums {
  payments: bigint;
  cents: bigint;
}

/** The total waived on payments that were accepted as paid. */
export async function sumWaived(db: Queryable): Promise<WaivedSums> {
  const [row] = await db.query<WaivedSums>(
    `select count(*) as payments, coalesce(sum(ceil(waived_base_units / 10000)), 0) as cents
       from payment_intents where waived_base_units > 0`,
  );
  return row!;
}
