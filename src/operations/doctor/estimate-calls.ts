import type { Queryable } from '../../platform/db/database.ts';
import { addDays, DAY_MS } from '../../platform/lib/clock.ts';
import { countActivity } from './queries.ts';

/** Figures that decide how many calls to a node a shop costs. */
export interface ShopSize {
  paymentsPerDay: number;
  /** Pages of payments that somebody opened, paid or not. */
  pagesPerDay: number;
  /** Payout addresses that are watched. */
  accounts: number;
}

/** A small shop, for those who have none yet. */
export const EXAMPLE_SHOP: ShopSize = { paymentsPerDay: 50, pagesPerDay: 100, accounts: 1 };

const REACH_DAYS = 30;

/** Reads the size of the shops of this installation as of the last month; undefined where nothing was sold. */
export async function readShopSize(db: Queryable, now: Date): Promise<ShopSize | undefined> {
  const { payments, pages, first, accounts } = await countActivity(db, addDays(now, -REACH_DAYS), now);
  if (!first || payments + pages === 0) return undefined;
  const days = Math.min(Math.max((now.getTime() - first.getTime()) / DAY_MS, 1), REACH_DAYS);
  return { paymentsPerDay: payments / days, pagesPerDay: pages / days, accounts };
}

interface Calls {
  all: number;
  /** Calls that read what a node keeps in its history: some providers count ten for each. */
  ofHistory: number;
}

/*
 * Calls that one thing costs at the only node, as the bench `calls` measures it on a network whose slots take 400 ms. With several
 * nodes each costs less, but for the question how far it is.
 */
const PAID_PAGE: Calls = { all: 9, ofHistory: 4 };
const UNPAID_PAGE: Calls = { all: 11, ofHistory: 10 };
/** The history of an account that is read once an hour. */
const HOURLY: Calls = { all: 3, ofHistory: 2 };
const ACCOUNTS_A_LOOK = 100;
const MONTH_SECONDS = 30 * 86_400;
/** A look at the balances and the question how far the node is. */
const HEARD_SECONDS = 30;

/** Estimates the calls of a month to a node that is the only one; `lookMs` is how often balances are looked at without notifications. */
export function estimateCalls(
  { paymentsPerDay, pagesPerDay, accounts }: ShopSize,
  { isHeard, lookMs }: { isHeard: boolean; lookMs: number },
): Calls {
  const lookSeconds = isHeard ? HEARD_SECONDS : lookMs / 1000;
  const looks = Math.ceil(accounts / ACCOUNTS_A_LOOK) * (MONTH_SECONDS / lookSeconds);
  const checks = MONTH_SECONDS / HEARD_SECONDS;
  const unpaid = Math.max(0, pagesPerDay - paymentsPerDay);
  const sum = (of: keyof Calls) =>
    30 * (paymentsPerDay * PAID_PAGE[of] + unpaid * UNPAID_PAGE[of] + 24 * accounts * HOURLY[of]);
  return { all: looks + checks + sum('all'), ofHistory: sum('ofHistory') };
}

/** Usual plans: the quantity in a month, and how much of it a call that reads history takes. */
const PLANS = [
  { what: 'a plan of 1 million calls', month: 1e6, ofHistory: 1 },
  { what: 'one of 1 million credits where reading history costs ten', month: 1e6, ofHistory: 10 },
  { what: 'one of 10 million such credits', month: 1e7, ofHistory: 10 },
];

/** Says the estimate and which share of usual plans it is, in a line. */
export function describeCalls(shop: ShopSize, calls: Calls, isExample: boolean): string {
  const { paymentsPerDay, pagesPerDay, accounts } = shop;
  const shares = PLANS.map(({ what, month, ofHistory }) => {
    const credits = calls.all + (ofHistory - 1) * calls.ofHistory;
    return `${percent(credits / month)} of ${what}`;
  });
  const whose = isExample ? 'for a shop with' : 'for this shop, with';
  const size = `${Math.round(paymentsPerDay)} payments and ${Math.round(pagesPerDay)} opened pages a day at ${accounts} ${accounts === 1 ? 'address' : 'addresses'}`;
  return `about ${(calls.all / 1e6).toFixed(2)} million ${whose} ${size}: ${shares.join(', ')}`;
}

const percent = (share: number) => `${Math.max(1, Math.round(share * 100))} %`;
