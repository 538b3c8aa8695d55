import type { Queryable } from '../db/database.ts';

/** The next moment after `now` at which time alone does something. */
export async function findNextMoment(db: Queryable, now: Date): Promise<Date | null> {
  const [row] = await db.query<{ moment: Date | null }>(
    `select min(moment) as moment from (
       select min(next_step_at) as moment from subscriptions where next_step_at > $1
       union all
       select min(expires_at) from checkout_sessions where status = 'open' and expires_at > $1
       union all
       select min(expires_at) + interval '30 days' from checkout_sessions
        where status = 'expired' and payment_status = 'underpaid' and stray_at is null
          and expires_at > $1::timestamptz - interval '30 days'
       union all
       select min(expires_at) from payment_links where status = 'active' and expires_at > $1
     ) as moments`,
    [now],
  );
  return row!.moment;
}
