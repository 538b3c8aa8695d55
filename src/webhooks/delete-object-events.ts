import type { Tx } from '../platform/db/database.ts';
import { deleteEventsOf } from '../platform/events/delete-events.ts';
import { deleteDeliveriesOf } from './queries.ts';

/** Deletes all that was said about these objects, and the log of having sent it. For objects that are deleted too. */
export async function deleteObjectEvents(
  tx: Tx,
  objects: readonly { merchantId: string; objectId: string }[],
): Promise<void> {
  await deleteDeliveriesOf(tx, await deleteEventsOf(tx, objects));
}
