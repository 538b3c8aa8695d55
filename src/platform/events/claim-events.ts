import type { Tx } from '../db/database.ts';
import { type ClaimedEvent, deleteUndispatched, lockDispatch, lockDispatchAlone } from './queries.ts';

export type { ClaimedEvent };

/**
 * Claims the oldest unclaimed events, each once, at most `limit`; those of the merchants in `later` come last, so
 * that many events of one merchant never delay another's. Returns nothing while another process is claiming: two at
 * once could finish in the wrong order.
 */
export async function claimEvents(
  tx: Tx,
  limit: number,
  later: readonly string[] = [],
): Promise<ClaimedEvent[]> {
  return (await lockDispatch(tx)) ? deleteUndispatched(tx, limit, later) : [];
}

/** Blocks claiming until the transaction ends, and waits for a claim in progress. */
export function pauseDispatch(tx: Tx): Promise<void> {
  return lockDispatchAlone(tx);
}
