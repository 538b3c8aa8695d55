import type { Destination } from '../../chain/solana/measure.ts';
import { measureReceived } from '../../chain/solana/measure.ts';
import type { LandedTransaction } from '../../chain/solana/transaction.ts';
import type { BaseUnits } from '../../platform/lib/money.ts';
import { type Problem, problem } from './problem.ts';

/** Checks that a transaction on chain pays exactly this and nothing else of ours. The client's claims do not count. */
export function checkLanded(
  transaction: LandedTransaction,
  destination: Destination,
  { amountBaseUnits, memo }: { amountBaseUnits: BaseUnits; memo: string },
): Problem | undefined {
  if (transaction.hasFailed) return problem('verification-failed', 'The transaction failed on chain.');
  if (transaction.memos.length !== 1 || transaction.memos[0] !== memo)
    return problem(
      'verification-failed',
      'The transaction does not carry the externalId of this challenge as its memo: it pays for something else.',
    );
  const received = measureReceived(transaction, destination);
  if (received === amountBaseUnits) return undefined;
  if (received === 0n)
    return problem('verification-failed', 'The transaction does not pay this seller in USDC.');
  const detail = `The transaction pays ${received} and not ${amountBaseUnits}.`;
  return problem(received < amountBaseUnits ? 'payment-insufficient' : 'verification-failed', detail);
}
