import type { Queryable } from '../../platform/db/database.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';

export interface SessionPlace {
  merchantId: string;
  sessionId: string;
  /** The payment link it came from, for starting again. */
  linkToken: string | null;
}

/** Addresses are typed by anybody: a text that the database cannot even hold is no token. */
const TOKEN = /^cs_[0-9A-Za-z]{1,100}$/;

/** The token in a checkout's address is all a payer has. */
export async function findSessionPlace(db: Queryable, token: string): Promise<SessionPlace | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const [row] = await db.query<SessionPlace>(
    `select s.merchant_id, s.id as session_id, l.public_token as link_token
       from checkout_sessions s
       left join payment_links l on l.merchant_id = s.merchant_id and l.id = s.payment_link_id and l.status = 'active'
      where s.token = $1`,
    [token],
  );
  return row;
}

export interface Underway {
  seenBaseUnits: BaseUnits;
  signature: string | null;
  /** The payer has named a payment that somebody at the merchant has yet to match. */
  isClaimed: boolean;
}

/** Payments on chain for an intent that are not final yet, or not known to be for it. */
export async function findUnderway(db: Queryable, merchantId: string, intentId: string): Promise<Underway> {
  const [row] = await db.query<Underway>(
    `select coalesce(sum(base_units), 0)::numeric(20,0) as seen_base_units, max(signature) as signature,
            exists (select from payment_claims c
                      join payment_exceptions e on e.merchant_id = c.merchant_id and e.signature = c.signature
                     where c.merchant_id = $1 and c.intent_id = $2 and e.status = 'open') as is_claimed
       from payment_allocations where merchant_id = $1 and intent_id = $2 and not is_final`,
    [merchantId, intentId],
  );
  return row!;
}
