import type { Tx } from '../db/database.ts';
import { type AnsweredClaim, insertAnsweredClaims } from './queries.ts';

export type { AnsweredClaim };

/**
 * Claims many keys, each with the answer it will repeat, and returns whose key was free: the others must have no
 * effect. Waits while another transaction is still deciding about one of them.
 */
export async function claimTogether(
  tx: Tx,
  claims: readonly AnsweredClaim[],
  now: Date,
): Promise<Set<string>> {
  if (claims.length === 0) return new Set();
  return new Set(await insertAnsweredClaims(tx, claims, now));
}
