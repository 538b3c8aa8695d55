import { PAYABLE_INTERVAL } from '../chain/solana/watched-account.ts';
import type { Queryable } from '../platform/db/database.ts';

/** The intent behind an id: of an intent, a session, an invoice, or a subscription (the open one, else the last). */
export async function findIntentBehindId(
  db: Queryable,
  merchantId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(
    `select id from payment_intents where merchant_id = $1 and id = $2
     union all
     select payment_intent_id from checkout_sessions where merchant_id = $1 and id = $2
     union all
     select s.payment_intent_id from invoices i
       join checkout_sessions s on s.merchant_id = i.merchant_id and s.id = i.checkout_session_id
      where i.merchant_id = $1 and i.id = $2
     union all
     (select payment_intent_id from checkout_sessions where merchant_id = $1 and subscription_id = $2
       order by status = 'open' desc, id desc limit 1)`,
    [merchantId, id],
  );
  return row?.id;
}

/** The intent of the session whose page has this token in its URL. */
export async function findIntentOfPage(
  db: Queryable,
  merchantId: string,
  token: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(
    'select payment_intent_id as id from checkout_sessions where merchant_id = $1 and token = $2',
    [merchantId, token],
  );
  return row?.id;
}

/** The next moment after `now` at which something is due. */
export async function findNextMoment(db: Queryable, now: Date): Promise<Date | null> {
  const [row] = await db.query<{ moment: Date | null }>(
    `select min(moment) as moment from (
       select min(next_step_at) as moment from subscriptions where next_step_at > $1
       union all
       select min(next_step_at) from invoices where next_step_at > $1
       union all
       select min(expires_at) from checkout_sessions where status = 'open' and expires_at > $1
       union all
       select min(expires_at) + ${PAYABLE_INTERVAL} from checkout_sessions
        where status = 'expired' and payment_status = 'underpaid' and unapplied_at is null
          and expires_at > $1::timestamptz - ${PAYABLE_INTERVAL}
       union all
       -- Those a stranger abandoned are forgotten when the chain was read past this: once a day will do.
       select date_trunc('day', min(expires_at) + ${PAYABLE_INTERVAL}) + interval '1 day' from checkout_sessions
        where origin = 'link' and payment_status = 'unpaid' and status in ('expired', 'canceled')
          and expires_at > $1::timestamptz - ${PAYABLE_INTERVAL}
       union all
       select min(expires_at) from payment_links where status = 'active' and expires_at > $1
       union all
       select min(takes_effect_at) from payout_changes where takes_effect_at > $1
     ) as moments`,
    [now],
  );
  return row!.moment;
}
