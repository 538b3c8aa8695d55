import type { Queryable } from '../db/database.ts';
import type { Ref } from '../lib/ref.ts';
import { deleteEvents } from './queries.ts';

/** Deletes everything that was said about objects that are deleted themselves; returns which events those were. */
export function deleteEventsOf(
  tx: Queryable,
  objects: readonly { merchantId: string; objectId: string }[],
): Promise<Ref[]> {
  return deleteEvents(tx, objects);
}
