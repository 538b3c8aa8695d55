import type { Queryable } from '../db/database.ts';
import { listEventsOf, type ObjectEvent } from './queries.ts';

/** Everything that was told of an object, in order. */
export function listObjectEvents(
  db: Queryable,
  object: { merchantId: string; objectId: string },
): Promise<ObjectEvent[]> {
  return listEventsOf(db, object);
}
