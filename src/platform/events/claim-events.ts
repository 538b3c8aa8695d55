import type { Tx } from '../db/database.ts';
import {
  type ClaimedEvent,
  type ClaimFrom,
  DISPATCH,
  deleteUndispatched,
  listUndispatchedMerchants,
  lockDispatch,
  lockDispatchAlone,
} from './queries.ts';

export { type ClaimedEvent, type ClaimFrom, DISPATCH, listUndispatchedMerchants };

/**
 * Claims the oldest unclaimed events, each once, at most `limit`; those of the merchants in `later` come last, so
 * that many events of one merchant never delay another's. Returns nothing while another process is claiming: two at
 * once could finish in the wrong order. Those of a single merchant wait for it instead.
 */
export async function claimEvents(tx: Tx, limit: number, from: ClaimFrom = {}): Promise<ClaimedEvent[]> {
  if (from.only !== undefined) await lockDispatchAlone(tx);
  else if (!(await lockDispatch(tx))) return [];
  return deleteUndispatched(tx, limit, from);
}

/** Blocks claiming until the transaction ends, and waits for a claim in progress. */
export function pauseDispatch(tx: Tx): Promise<void> {
  return lockDispatchAlone(tx);
}
