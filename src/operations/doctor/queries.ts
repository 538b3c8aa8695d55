import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';

interface Activity {
  /** Final payments. */
  payments: number;
  /** Payments whose page was opened, paid or not. */
  pages: number;
  /** The beginning of the oldest watch; null where nothing is watched. */
  first: Date | null;
  accounts: number;
}

/** Counts what has happened in all shops since a time, and the addresses that are watched now. */
export async function countActivity(db: Queryable, since: Date, now: Date): Promise<Activity> {
  const [row] = await db.query<Activity>(
    `select (select count(*)::integer from incoming_transfers
              where is_final and received_base_units > 0 and block_time > $1) as payments,
            (select count(*)::integer from payment_intents
              where created_at > $1 and reference_checked_at is not null) as pages,
            (select min(watch_since) from watched_accounts) as first,
            (select count(*)::integer from watched_accounts
              where watch_until > $2 and ${isOpenMerchant()}) as accounts`,
    [since, now],
  );
  return row!;
}
