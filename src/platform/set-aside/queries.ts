import type { Queryable } from '../db/database.ts';
import { isOpenMerchant } from '../db/open-merchants.ts';
import type { Ref } from '../lib/ref.ts';
import { ALL_ITEMS } from './not-set-aside.ts';

/** A row of a merchant for which work is due. */
/**
 * Puts it behind the others: ten seconds after the first failure, twice as long after each further one, and an hour in
 * the end. Answers how often it has failed.
 */
export async function upsertSetAside(
  db: Queryable,
  work: string,
  { merchantId, id }: Ref,
  { reason, now }: { reason: string; now: Date },
): Promise<number> {
  const [row] = await db.query<{ failures: number }>(
    `insert into set_aside_work as s (merchant_id, work, item_id, reason, failures, since, retry_at)
     values ($1, $2, $3, $4, 1, $5::timestamptz, $5::timestamptz + interval '10 seconds')
     on conflict (merchant_id, work, item_id) do update
       set reason = excluded.reason, failures = s.failures + 1,
           retry_at = $5::timestamptz + least(interval '1 hour', interval '10 seconds' * (2 ^ least(s.failures, 12)))
     returning failures`,
    [merchantId, work, id, reason, now],
  );
  return row!.failures;
}

/** Items that this work has set aside, and tries again now. */
export async function listRetried(db: Queryable, work: string, now: Date): Promise<Ref[]> {
  return db.query<Ref>(
    'select merchant_id, item_id as id from set_aside_work where work = $1 and retry_at <= $2',
    [work, now],
  );
}

export async function deleteSetAside(db: Queryable, work: string, { merchantId, id }: Ref): Promise<void> {
  await db.query('delete from set_aside_work where merchant_id = $1 and work = $2 and item_id = $3', [
    merchantId,
    work,
    id,
  ]);
}

/** Deletes items that nobody has tried again for so long: they were canceled, or their merchant has moved. */
export async function deleteForgotten(db: Queryable, work: string, before: Date): Promise<void> {
  await db.query('delete from set_aside_work where work = $1 and retry_at < $2', [work, before]);
}

export interface SetAsideReport {
  count: number;
  /** How many have failed so often that it is no matter of the moment. */
  lasting: number;
  /** The one of these that has waited longest. */
  merchantId: string | null;
  work: string | null;
  itemId: string | null;
  reason: string | null;
}

/** Twice may be the database's fault; three times is not. */
const LASTING = 3;

export async function countSetAside(db: Queryable): Promise<SetAsideReport> {
  const [row] = await db.query<SetAsideReport>(
    `select count(*) over ()::integer as count, (count(*) filter (where failures >= ${LASTING}) over ())::integer as lasting,
            merchant_id, work, item_id, reason
       from set_aside_work where item_id <> '${ALL_ITEMS}' and ${isOpenMerchant()}
      order by failures >= ${LASTING} desc, since, item_id limit 1`,
  );
  return row ?? { count: 0, lasting: 0, merchantId: null, work: null, itemId: null, reason: null };
}
