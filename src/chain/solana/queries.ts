import type { Queryable } from '../../platform/db/database.ts';
import { isOpenMerchant } from '../../platform/db/open-merchants.ts';
import { storableText } from '../../platform/lib/storable-text.ts';

/** One payout address and how far its history has been read. */
export interface WatchedAccount {
  destination: string;
  account: string;
  merchantId: string;
  watchSince: Date;
  watchUntil: Date;
  cursorSignature: string | null;
  cursorSlot: bigint | null;
  readThrough: Date | null;
  /** A slot at which the books and the chain agreed, and what the account held there. */
  provenSlot: bigint | null;
  provenBalance: bigint | null;
  /** Up to here, in block time, its history has been listed as a whole. */
  listedThrough: Date | null;
  /** Since when there is something that no node lists any more. */
  unlistedFrom: Date | null;
  /** Its last turn could not read everything. */
  hasProblem: boolean;
}

const COLUMNS = `
  destination, account, merchant_id, watch_since, watch_until,
  cursor_signature, cursor_slot, read_through,
  proven_slot, proven_balance,
  coalesce(listed_through, last_read_at) as listed_through, unlisted_from,
  last_problem is not null as has_problem`;

interface NewWatched {
  destination: string;
  account: string;
  merchantId: string;
  since: Date;
  until: Date;
  now: Date;
  nextRescanAt: Date;
}

/**
 * Watching starts a little before now, because block times and our clock may differ by seconds. Money that nothing
 * else assigns belongs to the owner of the address, whichever merchant has it watched.
 */
export async function upsertWatched(db: Queryable, account: NewWatched): Promise<void> {
  await db.query(
    `insert into watched_accounts (destination, account, merchant_id, watch_since, watch_until, next_poll_at,
                                   next_rescan_at)
     select $1, $2, coalesce((select merchant_id from payout_addresses where address = $1 and not is_shared), $3),
            $4, $5, $6, $7
     on conflict (destination) do update
       set watch_until = greatest(watched_accounts.watch_until, excluded.watch_until),
           merchant_id = excluded.merchant_id`,
    [
      account.destination,
      account.account,
      account.merchantId,
      account.since,
      account.until,
      account.now,
      account.nextRescanAt,
    ],
  );
}

export async function updateWatchedMerchant(
  tx: Queryable,
  destination: string,
  merchantId: string,
): Promise<void> {
  await tx.query(
    'update watched_accounts set merchant_id = $2 where destination = $1 and merchant_id <> $2',
    [destination, merchantId],
  );
}

/** Claims accounts whose turn it is, until their next turn. */
export async function claimDueAccounts(
  db: Queryable,
  now: Date,
  serviceNow: Date,
  nextPollAt: Date,
  limit: number,
): Promise<WatchedAccount[]> {
  return db.query<WatchedAccount>(
    `update watched_accounts set next_poll_at = $3 where destination in (
       select destination from watched_accounts where next_poll_at <= $1 and watch_until > $2 and ${isOpenMerchant()}
        order by next_poll_at limit $4 for update skip locked)
     returning ${COLUMNS}`,
    [now, serviceNow, nextPollAt, limit],
  );
}

/** Postpones its next turn: the current one is not done yet. */
export async function updateNextPoll(db: Queryable, destination: string, at: Date): Promise<void> {
  await db.query('update watched_accounts set next_poll_at = $2 where destination = $1', [destination, at]);
}

/** The account whose rescan is most overdue; it is due again at `leaseUntil` unless its rescan succeeds. */
export async function claimRescan(
  db: Queryable,
  serviceNow: Date,
  leaseUntil: Date,
): Promise<WatchedAccount | undefined> {
  const [row] = await db.query<WatchedAccount>(
    `update watched_accounts set next_rescan_at = $2 where destination = (
       select destination from watched_accounts where next_rescan_at <= $1 and watch_until > $1 and ${isOpenMerchant()}
        order by next_rescan_at limit 1 for update skip locked)
     returning ${COLUMNS}`,
    [serviceNow, leaseUntil],
  );
  return row;
}

export async function updateNextRescan(db: Queryable, destination: string, at: Date): Promise<void> {
  await db.query('update watched_accounts set next_rescan_at = $2 where destination = $1', [destination, at]);
}

export async function listWatched(db: Queryable, serviceNow: Date): Promise<WatchedAccount[]> {
  return db.query<WatchedAccount>(
    `select ${COLUMNS} from watched_accounts where watch_until > $1 and ${isOpenMerchant()} order by destination`,
    [serviceNow],
  );
}

/** The next accounts in the order of their addresses, beginning after one of them. */
export async function listWatchedAfter(
  db: Queryable,
  serviceNow: Date,
  destination: string,
  limit: number,
): Promise<WatchedAccount[]> {
  return db.query<WatchedAccount>(
    `select ${COLUMNS} from watched_accounts where watch_until > $1 and destination > $2 and ${isOpenMerchant()}
      order by destination limit $3`,
    [serviceNow, destination, limit],
  );
}

export async function listWatchedAmong(
  db: Queryable,
  destinations: readonly string[],
): Promise<WatchedAccount[]> {
  return db.query<WatchedAccount>(
    `select ${COLUMNS} from watched_accounts where destination = any($1) and ${isOpenMerchant()}`,
    [destinations],
  );
}

/** Including those whose watching time has ended. */
export async function listEveryWatched(db: Queryable): Promise<WatchedAccount[]> {
  return db.query<WatchedAccount>(
    `select ${COLUMNS} from watched_accounts where ${isOpenMerchant()} order by destination`,
  );
}

export async function findWatched(db: Queryable, destination: string): Promise<WatchedAccount | undefined> {
  const [row] = await db.query<WatchedAccount>(
    `select ${COLUMNS} from watched_accounts where destination = $1`,
    [destination],
  );
  return row;
}

/** The cursor only ever moves forward. */
export async function updateProgress(
  db: Queryable,
  destination: string,
  { cursorSignature, cursorSlot }: { cursorSignature: string; cursorSlot: bigint },
): Promise<void> {
  await db.query(
    `update watched_accounts set cursor_signature = $2, cursor_slot = $3
      where destination = $1 and (cursor_slot is null or cursor_slot <= $3) and cursor_signature is distinct from $2`,
    [destination, cursorSignature, cursorSlot],
  );
}

/**
 * All nodes have been read up to a slot, and the books explain what the account holds there. A slot before the account
 * was watched proves nothing: the books begin later.
 */
export async function updateReadThrough(
  db: Queryable,
  destination: string,
  { slot, time, balance }: { slot: number; time: Date; balance: bigint },
): Promise<void> {
  await db.query(
    `update watched_accounts
        set read_through = greatest(read_through, $2),
            proven_balance = case when $3::bigint > coalesce(proven_slot, -1) then $4 else proven_balance end,
            proven_slot = greatest(proven_slot, $3)
      where destination = $1 and watch_since <= $2`,
    [destination, time, slot, balance],
  );
}

/** Ends a turn, with a problem or without; returns the previous turn's problem. */
export async function updateTurn(
  db: Queryable,
  destination: string,
  problem: string | null,
  now: Date,
): Promise<string | null> {
  const [row] = await db.query<{ before: string | null }>(
    `with former as (select last_problem from watched_accounts where destination = $1)
     update watched_accounts
        set last_problem = $2,
            problem_since = case when $2::text is not null then coalesce(problem_since, $3) end,
            last_read_at = case when $2::text is null then $3 else last_read_at end
      where destination = $1
     returning (select last_problem from former) as before`,
    [destination, problem === null ? null : storableText(problem, MAX_PROBLEM), now],
  );
  return row?.before ?? null;
}

const MAX_PROBLEM = 500;

export interface FailingAccount {
  destination: string;
  problem: string;
  since: Date;
}

/** Accounts not read since `before`, the longest unread first. */
export async function listFailingAccounts(
  db: Queryable,
  serviceNow: Date,
  before: Date,
): Promise<FailingAccount[]> {
  return db.query<FailingAccount>(
    `select destination, last_problem as problem, problem_since as since from watched_accounts
      where problem_since < $2 and watch_until > $1 and ${isOpenMerchant()} order by problem_since`,
    [serviceNow, before],
  );
}

/**
 * Since when not every account has been looked at: the last complete sweep began then, or an account that cannot be read
 * was read then. Undefined when none is watched.
 */
export async function findOldestRead(db: Queryable, serviceNow: Date): Promise<Date | undefined> {
  const [row] = await db.query<{ at: Date | null }>(
    `select least(min(coalesce(last_read_at, problem_since)) filter (where problem_since is not null),
                  coalesce((select through_at from account_sweep), min(last_read_at), min(watch_since))) as at
       from watched_accounts where watch_until > $1 and ${isOpenMerchant()}`,
    [serviceNow],
  );
  return row?.at ?? undefined;
}
