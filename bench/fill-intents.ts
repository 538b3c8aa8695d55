import type pg from 'pg';
import { fillQuickly, withoutIndexes } from './fill-quickly.ts';

const DAYS = 90;
const KEY_DAYS = 7;

/**
 * A shop's past: intents of these merchants spread evenly over 90 days, 70 % of them succeeded, ids made
 * from their time, and an idempotency key for those of the last week, as the service keeps them.
 */
export async function fillIntents(
  db: pg.Client,
  merchantIds: readonly string[],
  count: number,
): Promise<void> {
  await fillQuickly(db, ['payment_intents', 'idempotency_keys'], async () => {
    await withoutIndexes(db, 'payment_intents', () =>
      db.query(FILL_INTENTS, [merchantIds, count, DAYS * 86_400]),
    );
    await db.query(FILL_KEYS, [KEY_DAYS]);
  });
}

const FILL_INTENTS = `
  insert into payment_intents (merchant_id, id, order_id, expected_amount_cents, received_base_units,
                               reference_address, destination_address, status, tx_signature, sequence,
                               created_at, expires_at, succeeded_at)
  select m.id, i.id, 'order-' || n, cents,
         case status when 'succeeded' then cents * 10000 else 0 end,
         replace(gen_random_uuid()::text, '-', '') || left(gen_random_uuid()::text, 12),
         m.payout_address, status,
         case status when 'succeeded' then repeat(md5(n::text), 2) || left(md5(n::text), 24) end,
         1, i.created_at, i.created_at + interval '30 minutes',
         case status when 'succeeded' then i.created_at + interval '1 minute' end
    from (select n, id, uuid_extract_timestamp(id) as created_at, (100 + 50000 * luck)::bigint as cents,
                 case when luck < 0.70 then 'succeeded' when luck < 0.95 then 'expired' else 'canceled' end as status
            from (select n, random() as luck,
                         uuidv7(make_interval(secs => -3600 - ($2::bigint - n) * $3::float8 / $2::bigint)) as id
                    from generate_series(1, $2::bigint) as n) as drawn) as i
    join merchants m on m.id = ($1::uuid[])[1 + n % cardinality($1::uuid[])]`;

const FILL_KEYS = `
  insert into idempotency_keys (merchant_id, operation, key, fingerprint, resource_id, status, answer, created_at)
  select merchant_id, 'createIntent', gen_random_uuid()::text, sha256(id::text::bytea), id, 200,
         repeat(md5(id::text), 12), created_at
    from payment_intents where created_at > now() - make_interval(days => $1)`;

/** Random intents of the table, whose merchant is the n-th of the list. */
export async function sampleIntents(
  db: pg.Client,
  merchantIds: readonly string[],
  count: number,
): Promise<{ id: string; merchant: number }[]> {
  const { rows } = await db.query(
    `select id, array_position($1::uuid[], merchant_id) - 1 as merchant from payment_intents
      order by random() limit $2`,
    [merchantIds, count],
  );
  return rows;
}
