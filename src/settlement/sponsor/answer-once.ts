import type { Queryable } from '../../platform/db/database.ts';
import { updateAnswered } from './queries.ts';

/** Whether a server may hear that a payment has settled: the first request for it may, and the same one again. */
export function answerOnce(
  db: Queryable,
  signature: string,
  request: { key: string | null; now: Date },
): Promise<boolean> {
  return updateAnswered(db, signature, request);
}
