import type { Queryable } from '../db/database.ts';
import { hasDueIntents } from '../intents/has-due-intents.ts';
import { hasWaitingSessions } from './session-queries.ts';

/** Whether anything paid to `destination` waits until the chain has been read past `time`. */
export async function waitsForReading(db: Queryable, destination: string, time: Date): Promise<boolean> {
  return (await hasDueIntents(db, destination, time)) || hasWaitingSessions(db, destination, time);
}
