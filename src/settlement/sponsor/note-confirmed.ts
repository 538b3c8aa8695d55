import type { Queryable } from '../../platform/db/database.ts';
import { updateConfirmed } from './queries.ts';

/** A payment that the network has confirmed is no longer under way, so its wallet can make the next one. */
export function noteConfirmed(db: Queryable, signature: string, now: Date): Promise<void> {
  return updateConfirmed(db, [signature], now);
}
