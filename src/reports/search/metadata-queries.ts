import type { Queryable } from '../../platform/db/database.ts';
import { describing, type HitRow } from './queries.ts';
import type { HitType } from './search-hit.ts';

/** Every table with metadata, and what is found by it: a price has no page of its own. */
const NOTED: readonly { type: HitType; table: string; id?: string; only?: string }[] = [
  { type: 'payment_intent', table: 'payment_intents' },
  { type: 'customer', table: 'customers' },
  { type: 'invoice', table: 'invoices' },
  { type: 'subscription', table: 'subscriptions' },
  { type: 'refund', table: 'refunds' },
  { type: 'checkout_session', table: 'checkout_sessions' },
  { type: 'payment_link', table: 'payment_links', only: 'deleted_at is null' },
  { type: 'product', table: 'products' },
  { type: 'product', table: 'prices', id: 'product_id' },
];

/** Number of the newest rows that are looked at before the index is used. */
const NEWEST = 5_000;

/** A value that many rows have is found among the newest; one that few have, through the index. */
function noted({ type, table, id = 'id', only = 'true' }: (typeof NOTED)[number]): string {
  return `
    (with newest as materialized (
       select id, owner from (select id, ${id} as owner, metadata from ${table} where merchant_id = $1 and ${only}
                               order by id desc limit ${NEWEST}) as latest
        where metadata @> $2::jsonb order by id desc limit $3
     ), indexed as (
       select id, ${id} as owner from ${table}
        where metadata <> '{}' and jsonb_set('{}', array[merchant_id::text], metadata) @> $4::jsonb and ${only} offset 0
     )
     select '${type}' as type, owner as id, 0 as rank from newest
     union all
     (select '${type}', owner, 0 from indexed where (select count(*) from newest) < $3 order by id desc limit $3))`;
}

const STATEMENT = describing(`with found as (${NOTED.map(noted).join(' union all ')})`);

/** Up to `limit` of each kind whose metadata has exactly this key and value. */
export async function listNotedHits(
  db: Queryable,
  merchantId: string,
  { key, value }: { key: string; value: string },
  limit: number,
): Promise<HitRow[]> {
  const term = { [key]: value };
  return db.query<HitRow>(STATEMENT, [
    merchantId,
    JSON.stringify(term),
    limit,
    JSON.stringify({ [merchantId]: term }),
  ]);
}
