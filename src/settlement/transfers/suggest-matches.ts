import { findPayer } from '../../chain/solana/find-payer.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { baseUnitsToCents } from '../../platform/lib/money.ts';
import { isLinkable, isUndecided, type PaymentException } from './exception.ts';
import { type Candidate, listCandidates } from './suggestion-queries.ts';

const MAX_SUGGESTIONS = 10;

export const MATCH_REASONS = ['claimed', 'named', 'same_amount', 'same_sender'] as const;
type MatchReason = (typeof MATCH_REASONS)[number];

export interface Suggestion extends Omit<Candidate, 'isClaimed' | 'payerAddress'> {
  reasons: MatchReason[];
}

export interface Suggestions {
  /** The wallet the money came from; null if the network does not say. */
  payerAddress: string | null;
  suggestions: Suggestion[];
}

/** What money that matched nothing was probably for, and who sent it. */
export async function suggestMatches(
  { db, rpc }: { db: Queryable; rpc: Rpc },
  exception: PaymentException,
): Promise<Suggestions> {
  const { signature, mint, destination } = exception;
  const [payer, candidates] = await Promise.all([
    rpc.nodeCount === 0 ? undefined : findPayer(rpc, [signature], { mint, destination }),
    isLinkable(exception) && isUndecided(exception) ? listCandidates(db, exception, MAX_SUGGESTIONS) : [],
  ]);
  const payerAddress = payer ?? null;
  return { payerAddress, suggestions: candidates.map((each) => suggest(each, exception, payerAddress)) };
}

function suggest(
  { isClaimed, payerAddress, ...candidate }: Candidate,
  { intentId, baseUnits }: PaymentException,
  sender: string | null,
): Suggestion {
  const { missingCents, tipCents } = candidate;
  const holds: Record<MatchReason, boolean> = {
    claimed: isClaimed,
    named: candidate.paymentIntentId === intentId,
    same_amount: [missingCents, missingCents - tipCents].includes(baseUnitsToCents(baseUnits)),
    same_sender: payerAddress !== null && payerAddress === sender,
  };
  return { ...candidate, reasons: MATCH_REASONS.filter((reason) => holds[reason]) };
}
