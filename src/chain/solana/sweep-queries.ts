import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';

/** True for the one process that may sweep now; until `heldUntil`, or as long as it keeps asking. */
export async function updateHolder(
  db: Queryable,
  holder: string,
  now: Date,
  heldUntil: Date,
): Promise<boolean> {
  const rows = await db.query(
    `insert into account_sweep as s (holder, held_until) values ($1, $3)
     on conflict (only_row) do update set holder = excluded.holder, held_until = excluded.held_until
      where s.holder is null or s.holder = excluded.holder or s.held_until < $2
     returning only_row`,
    [holder, now, heldUntil],
  );
  return rows.length > 0;
}

/** Lets another process begin at once. */
export async function deleteHolder(db: Queryable, holder: string): Promise<void> {
  await db.query('update account_sweep set holder = null, held_until = null where holder = $1', [holder]);
}

export interface SweptThrough {
  slot: bigint;
  at: Date;
}

export async function updateSweptThrough(db: Queryable, { slot, at }: SweptThrough): Promise<void> {
  await db.query('update account_sweep set through_slot = $1, through_at = $2', [slot, at]);
}

/** How far the last complete look at all accounts got. */
export async function findSweptThrough(db: Queryable): Promise<SweptThrough | undefined> {
  const [row] = await db.query<SweptThrough>(
    'select through_slot as slot, through_at as at from account_sweep where through_slot is not null',
  );
  return row;
}

export async function countWatched(db: Queryable, serviceNow: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::integer as count from watched_accounts where watch_until > $1 and ${isOpenMerchant()}`,
    [serviceNow],
  );
  return row!.count;
}

/** Since when the account that has been watched longest is watched; undefined when none is. */
export async function findFirstWatched(db: Queryable, serviceNow: Date): Promise<Date | undefined> {
  const [row] = await db.query<{ since: Date | null }>(
    `select min(watch_since) as since from watched_accounts where watch_until > $1 and ${isOpenMerchant()}`,
    [serviceNow],
  );
  return row?.since ?? undefined;
}

export interface WatchedName {
  destination: string;
  account: string;
}

/** Only what they are called; those watched since `newSince` or not read yet, or all of them. */
export async function listWatchedNames(
  db: Queryable,
  serviceNow: Date,
  newSince: Date | undefined,
): Promise<WatchedName[]> {
  return db.query<WatchedName>(
    `select destination, account from watched_accounts
      where watch_until > $1 and ($2::timestamptz is null or proven_slot is null or watch_since > $2)
        and ${isOpenMerchant()}`,
    [serviceNow, newSince ?? null],
  );
}

/** Watches are extended to `until` where an intent is still open though its watch has ended: nobody was watching when it was due. */
export async function updateEndedWatches(
  db: Queryable,
  serviceNow: Date,
  until: Date,
  now: Date,
): Promise<void> {
  await db.query(
    `update watched_accounts set watch_until = $2, next_poll_at = $3
      where watch_until <= $1 and ${isOpenMerchant()}
        and exists (select from payment_intents i
                     where i.destination_address = destination and i.status in ('pending', 'failed') and not i.is_withdrawn)`,
    [serviceNow, until, now],
  );
}

/** Notes why accounts could not be looked at, where nothing else is the matter with them; their next turn tells more. */
export async function updateUnread(
  db: Queryable,
  destinations: readonly string[],
  problem: string,
  now: Date,
): Promise<void> {
  await db.query(
    `update watched_accounts set last_problem = $2, problem_since = $3, next_poll_at = least(next_poll_at, $3)
      where destination = any($1) and last_problem is null`,
    [destinations, problem, now],
  );
}

/** Has these accounts read within the next seconds, spread over them, where their turns are not sooner. */
export async function updateNextPollSoon(
  db: Queryable,
  accounts: readonly string[],
  now: Date,
  withinSeconds: number,
): Promise<void> {
  await db.query(
    `update watched_accounts
        set next_poll_at = least(next_poll_at, $2::timestamptz + random() * $3 * interval '1 second')
      where account = any($1)`,
    [accounts, now, withinSeconds],
  );
}
