import type { Queryable } from '../../platform/db/database.ts';

export interface Signs {
  texts: readonly string[];
  ids: readonly string[];
  /** SHA-256, in hex. */
  hashes: readonly string[];
}

/** Finds the closed merchant to whom one of these public tokens, ids or hashes belongs. */
export async function findClosedMerchant(
  db: Queryable,
  { texts, ids, hashes }: Signs,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(
    `with shown as materialized (
       select array(select decode(hash, 'hex') from unnest($3::text[]) as given(hash)) as hashes
     )
     select m.id from merchants m
      where m.closed_at is not null and m.id = any(array(
        select merchant_id from checkout_sessions where token = any($1::text[])
        union all select merchant_id from payment_links where public_token = any($1::text[])
        union all select merchant_id from paywalls where token = any($1::text[])
        union all select merchant_id from payment_intents
                   where uuid_send(id) = any(array(select uuid_send(given.id) from unnest($2::uuid[]) as given(id)))
        union all select merchant_id from terminals where id = any($2::uuid[])
        union all select merchant_id from projects where id = any($2::uuid[])
        union all select r.merchant_id from refunds r, shown s where r.claim_token_hash = any(s.hashes)
        union all select l.merchant_id from member_links l, shown s where l.token_hash = any(s.hashes)
        union all select w.merchant_id from portal_email_changes w, shown s where w.token_hash = any(s.hashes)
        union all select p.merchant_id from portal_sessions p, shown s where p.token_hash = any(s.hashes)
        union all select p.merchant_id from portal_sessions p, shown s where p.cookie_hash = any(s.hashes)))
      limit 1`,
    [texts, ids, hashes],
  );
  return row?.id;
}
