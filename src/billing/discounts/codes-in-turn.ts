import { Turnstile } from '../../platform/lib/turnstile.ts';

const CODES = new Turnstile({ atOnce: 2, atOnceOf: 1, waiting: 1_000, waitingOf: 200 });

/**
 * Requests of visitors of checkouts about a merchant's promotion codes, one after the other: they wait for the same rows in any
 * case, and here no connection waits with them.
 */
export function codesInTurn<Result>(merchantId: string, work: () => Promise<Result>): Promise<Result> {
  return CODES.run(merchantId, work);
}
