import type { Database } from '../platform/db/database.ts';
import type { Rooms } from './concurrency-limiter.ts';
import { type Claim, LEASE_MS, ORDERING_HOLD_MS } from './delivery.ts';
import { updateLeases } from './lease-queries.ts';

const SOON_MS = 2_000;

/**
 * Takes due deliveries, each for this worker alone until its lease ends. Every endpoint gets its share of the
 * slots, so many deliveries to one never keep those to another waiting.
 */
export async function claimDeliveries(
  db: Database,
  rooms: Rooms & { slots: number },
  now: Date,
): Promise<Claim[]> {
  const after = (ms: number) => new Date(now.getTime() + ms);
  return updateLeases(db, rooms, {
    now,
    leaseUntil: after(LEASE_MS),
    soon: after(SOON_MS),
    later: after(ORDERING_HOLD_MS),
  });
}
