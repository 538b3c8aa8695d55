import type { Queryable } from '../db/database.ts';

export interface Seen {
  id: string;
  version: string;
}

/** An intent's state in one word, which differs whenever its page would. */
const INTENT_VERSION = `
  concat_ws('.', i.status, i.expected_amount_cents, i.received_base_units, s.status,
    (select sum(c.base_units) from payment_allocations c
      where c.merchant_id = i.merchant_id and c.intent_id = i.id and not c.is_final),
    (select nullif(count(*), 0) from payment_exceptions e
      where e.merchant_id = i.merchant_id and e.intent_id = i.id and e.kind = 'wrong_mint' and e.status = 'open'))`;

const WITH_SESSION = `
  left join checkout_sessions s on s.merchant_id = i.merchant_id and s.payment_intent_id = i.id`;

/** Reads many: however many pages are open, it is one query. */
export function listIntentVersions(db: Queryable, ids: readonly string[]): Promise<Seen[]> {
  return db.query<Seen>(
    `select i.id, ${INTENT_VERSION} as version from payment_intents i ${WITH_SESSION}
      where uuid_send(i.id) = any(array(select uuid_send(id) from unnest($1::uuid[]) as asked(id)))`,
    [ids],
  );
}

/** A till changes when it is unpaired, and with its terminal. */
export function listTillVersions(db: Queryable, ids: readonly string[]): Promise<Seen[]> {
  return db.query<Seen>(
    `select l.id, concat_ws('.', l.unpaired_at is null, t.is_active, t.current_intent_id, ${INTENT_VERSION}) as version
       from tills l
       join terminals t on t.merchant_id = l.merchant_id and t.id = l.terminal_id
       left join payment_intents i on i.merchant_id = t.merchant_id and i.id = t.current_intent_id
       ${WITH_SESSION} where l.id = any($1)`,
    [ids],
  );
}

/** A terminal changes when it shows another intent, and with the one it shows. */
export function listTerminalVersions(db: Queryable, ids: readonly string[]): Promise<Seen[]> {
  return db.query<Seen>(
    `select t.id, concat_ws('.', t.is_active, t.current_intent_id, ${INTENT_VERSION}) as version
       from terminals t
       left join payment_intents i on i.merchant_id = t.merchant_id and i.id = t.current_intent_id
       ${WITH_SESSION} where t.id = any($1)`,
    [ids],
  );
}

/** A refund by the hash of its claim link's token, which is all that its page knows of it. */
export function listRefundVersions(db: Queryable, tokenHashes: readonly string[]): Promise<Seen[]> {
  return db.query<Seen>(
    `select encode(claim_token_hash, 'hex') as id, concat_ws('.', status, sequence) as version from refunds
      where claim_token_hash = any(array(select decode(hash, 'hex') from unnest($1::text[]) as asked(hash)))`,
    [tokenHashes],
  );
}
