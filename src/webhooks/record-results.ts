import type { Database } from '../platform/db/database.ts';
import type { Claim, Outcome } from './delivery.ts';
import { type ResultRow, updateResults } from './lease-queries.ts';
import { decideRetry } from './retry.ts';

export interface Result {
  claim: Claim;
  outcome: Outcome;
}

/**
 * Writes down what came of attempts and what follows. A result whose lease has passed to another worker is
 * refused; the answer names those that were taken.
 */
export async function recordResults(
  db: Database,
  results: readonly Result[],
  now: Date,
): Promise<Set<string>> {
  return new Set(
    await updateResults(
      db,
      results.map((result) => toRow(result, now)),
      now,
    ),
  );
}

function toRow({ claim, outcome }: Result, now: Date): ResultRow {
  const { merchantId, id, leaseId, number, url } = claim;
  const { durationMs, httpStatus, responseBody } = outcome;
  const { status, error, nextAttemptAt, holdsOrderUntil } = decideRetry(id, number, outcome, now);
  return {
    merchantId,
    id,
    leaseId,
    status,
    url,
    startedAt: outcome.startedAt.toISOString(),
    httpStatus,
    error,
    durationMs,
    responseBody,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    holdsOrderUntil: holdsOrderUntil?.toISOString() ?? null,
  };
}
