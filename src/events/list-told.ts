import type { Queryable } from '../db/database.ts';
import { listEventsOf, type ToldEvent } from './queries.ts';

/** Everything that was told of an object, in order. */
export function listTold(
  db: Queryable,
  object: { merchantId: string; objectId: string },
): Promise<ToldEvent[]> {
  return listEventsOf(db, object);
}
