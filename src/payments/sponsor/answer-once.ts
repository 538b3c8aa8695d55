import type { Queryable } from '../../platform/db/database.ts';
import { updateAnswered } from './queries.ts';

/**
 * Returns true once per payment, so that only one request gets to know that it has settled; repeats of that request
 * get true too.
 */
export function answerOnce(
  db: Queryable,
  signature: string,
  request: { key: string | null; now: Date },
): Promise<boolean> {
  return updateAnswered(db, signature, request);
}
