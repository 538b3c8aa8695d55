import type { Tx } from '../db/database.ts';
import { type ClaimedEvent, deleteUndispatched, lockDispatch, lockDispatchAlone } from './queries.ts';

export type { ClaimedEvent };

/**
 * Takes the oldest events that were never taken, each once, at most `limit`; those of the merchants in `later` after
 * the others', so that many of one never keep those of another waiting. Nothing while another process is taking some:
 * two at once could finish in the wrong order.
 */
export async function claimEvents(
  tx: Tx,
  limit: number,
  later: readonly string[] = [],
): Promise<ClaimedEvent[]> {
  return (await lockDispatch(tx)) ? deleteUndispatched(tx, limit, later) : [];
}

/** Nobody takes events until the transaction ends; whoever just does is waited for. */
export function pauseDispatch(tx: Tx): Promise<void> {
  return lockDispatchAlone(tx);
}
