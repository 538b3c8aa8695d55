import type { Queryable, Tx } from '../../platform/db/database.ts';
import { updateConfirmed, updateLanded } from './queries.ts';

/** A payment that the network has confirmed is no longer under way, so its wallet can make the next one. */
export function noteConfirmed(db: Queryable, signature: string, now: Date): Promise<void> {
  return updateConfirmed(db, [signature], now);
}

/** It has failed on chain, as the network has confirmed, and pays nothing any more. */
export async function noteFailed(tx: Tx, signature: string): Promise<void> {
  await updateLanded(tx, [signature], { hasFailed: true });
}
