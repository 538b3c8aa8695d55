import { hasDueIntents } from '../../intents/queries.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { hasWaitingAbandoned } from './abandoned-queries.ts';
import { hasWaitingInvoices, hasWaitingRenewals, hasWaitingSessions } from './session-queries.ts';

/** True if anything paid to `destination` depends on the chain being read past `time`. */
export async function waitsForReading(db: Queryable, destination: string, time: Date): Promise<boolean> {
  return (
    (await hasDueIntents(db, destination, time)) ||
    (await hasWaitingSessions(db, destination, time)) ||
    (await hasWaitingRenewals(db, destination, time)) ||
    (await hasWaitingInvoices(db, destination, time)) ||
    hasWaitingAbandoned(db, destination, time)
  );
}
