import type { Tx } from '../db/database.ts';
import { deleteEventsOf } from '../events/delete-events.ts';
import { deleteDeliveriesOf } from './queries.ts';

/** Deletes all that was said about these objects, and the log of having sent it. For objects that are deleted too. */
export async function forgetEvents(
  tx: Tx,
  objects: readonly { merchantId: string; objectId: string }[],
): Promise<void> {
  await deleteDeliveriesOf(tx, await deleteEventsOf(tx, objects));
}
