import type { Tx } from '../platform/db/database.ts';
import { type Intent, paymentIntents } from './intent.ts';

/** Closes a locked intent that was paid in part, because that part goes back; opens it again if it stays after all. */
export async function markRefunding(tx: Tx, intent: Intent, isRefunding: boolean): Promise<void> {
  if (intent.status === 'succeeded' || intent.isRefunding === isRefunding) return;
  await paymentIntents.update(tx, intent, { isRefunding });
}
