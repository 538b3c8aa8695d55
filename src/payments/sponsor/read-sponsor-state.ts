import { RpcFailure } from '../../chain/solana/rpc-failure.ts';
import type { Database } from '../../platform/db/database.ts';
import { startOfUtcDay } from '../../platform/lib/clock.ts';
import { merchantLimit } from './merchant-limit.ts';
import { sumSpent, sumSpentFor } from './queries.ts';
import type { ReasonOff, Sponsor } from './sponsor.ts';

/** Fee close to the highest that is paid: with less than this left of a day's limit, the day is over. */
const A_FEE = 60_000n;

export interface SponsorReading {
  reasonOff: ReasonOff | null;
  /** Null: not known. */
  balanceLamports: bigint | null;
  spentTodayLamports: bigint;
}

/** Returns the state of the fee payer, and why fees cannot be paid now, for this merchant if one is given. */
export async function readSponsorState(
  db: Database,
  sponsor: Sponsor,
  now: Date,
  merchantId?: string,
): Promise<SponsorReading> {
  const spentTodayLamports = await sumSpent(db, dayOf(now));
  const balanceLamports = await sponsor.balance().catch(unknown);
  const state = { balanceLamports, spentTodayLamports };
  if (balanceLamports === null) return { ...state, reasonOff: 'network_unreachable' };
  if (balanceLamports < sponsor.minLamports) return { ...state, reasonOff: 'low_balance' };
  if (spentTodayLamports + A_FEE > sponsor.limitLamportsPerDay)
    return { ...state, reasonOff: 'daily_limit_reached' };
  const limit = merchantId === undefined ? null : await merchantLimit(db, sponsor, merchantId);
  if (limit !== null && merchantId !== undefined) {
    const spent = await sumSpentFor(db, merchantId, startOfUtcDay(now));
    if (spent + A_FEE > limit) return { ...state, reasonOff: 'merchant_limit_reached' };
  }
  return { ...state, reasonOff: null };
}

/** `2026-02-28`, in UTC. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

function unknown(error: unknown): null {
  if (error instanceof RpcFailure) return null;
  throw error;
}
