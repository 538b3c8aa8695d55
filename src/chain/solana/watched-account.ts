import type { Queryable } from '../../platform/db/database.ts';
import { addDays, type Clock, DAY_MS, HOUR_MS, realNow, startOfUtcDay } from '../../platform/lib/clock.ts';
import { associatedAccount } from './associated-account.ts';
import {
  claimDueAccounts,
  claimRescan,
  updateNextPoll,
  updateNextRescan,
  updateProgress,
  updateReadThrough,
  updateTurn,
  updateWatchedMerchant,
  upsertWatched,
} from './queries.ts';
import {
  deleteHolder,
  updateEndedWatches,
  updateHolder,
  updateNextPollSoon,
  updateSweptThrough,
  updateUnread,
} from './sweep-queries.ts';

/** How long after its expiry an intent still accepts money. */
export const PAYABLE_DAYS_AFTER_EXPIRY = 30;
/** The same in SQL. */
export const PAYABLE_INTERVAL = `interval '${PAYABLE_DAYS_AFTER_EXPIRY} days'`;
const SPARE_DAYS = 3;
/** A watch begins so long before its first intent. */
export const HEAD_START_MS = 10 * 60_000;

/** `from`: a payment landed there already, then. A new watch begins before it; one that has begun does not move. */
export type EnsureWatched = (
  destination: string,
  merchantId: string,
  expiresAt: Date,
  from?: Date,
) => Promise<void>;

/**
 * Makes sure an address is watched before a payment can be requested there. Cached after the first time, so an intent
 * costs no extra statement; renewed about once a day.
 */
export function watchKeeper(db: Queryable, clock: Clock, mint: string): EnsureWatched {
  const watchedUntilMs = new Map<string, number>();
  return async function ensureWatched(
    destination: string,
    merchantId: string,
    expiresAt: Date,
    from?: Date,
  ): Promise<void> {
    const neededMs = expiresAt.getTime() + PAYABLE_DAYS_AFTER_EXPIRY * DAY_MS;
    if ((watchedUntilMs.get(destination) ?? 0) >= neededMs) return;
    const until = new Date(neededMs + SPARE_DAYS * DAY_MS);
    const account = await associatedAccount(destination, mint);
    const firstMs = Math.min(clock.now().getTime(), from?.getTime() ?? Number.POSITIVE_INFINITY);
    const since = new Date(firstMs - HEAD_START_MS);
    const nextRescanAt = nextNight(clock.now());
    await upsertWatched(db, { destination, account, merchantId, since, until, now: realNow(), nextRescanAt });
    watchedUntilMs.set(destination, until.getTime());
  };
}

/** A service that was away for weeks, or whose time was moved, still owes an end to what it had open. */
export function keepUnfinishedWatched(db: Queryable, serviceNow: Date): Promise<void> {
  const until = addDays(serviceNow, SPARE_DAYS);
  return updateEndedWatches(db, serviceNow, until, realNow());
}

const NIGHT_MS = 2 * HOUR_MS;

/** Two in the morning, UTC. */
export function nextNight(now: Date): Date {
  const nightMs = startOfUtcDay(now).getTime() + NIGHT_MS;
  return new Date(nightMs > now.getTime() ? nightMs : nightMs + DAY_MS);
}

export {
  deleteUnlisted as forgetUnlisted,
  updateListedThrough as noteListedThrough,
  updateUnlisted as noteUnlisted,
} from './unlisted-queries.ts';
export {
  claimDueAccounts,
  claimRescan,
  deleteHolder as releaseSweep,
  updateHolder as holdSweep,
  updateNextPoll as scheduleTurn,
  updateNextPollSoon as scheduleTurns,
  updateNextRescan as scheduleRescan,
  updateProgress as noteProgress,
  updateReadThrough as noteReadThrough,
  updateSweptThrough as noteSweptThrough,
  updateTurn as noteTurn,
  updateUnread as noteUnread,
  updateWatchedMerchant as assignWatched,
};
