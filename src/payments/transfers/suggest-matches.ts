import { findPayer } from '../../chain/solana/find-payer.ts';
import type { Rpc } from '../../chain/solana/rpc.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { baseUnitsToCents } from '../../platform/lib/money.ts';
import { isLinkable, isUndecided, type PaymentException } from './exception.ts';
import { type Candidate, listCandidates } from './suggestion-queries.ts';

const MAX_SUGGESTIONS = 10;

export const MATCH_REASONS = ['claimed', 'named', 'same_amount', 'less_a_fee', 'same_sender'] as const;
type MatchReason = (typeof MATCH_REASONS)[number];

type Unshown = 'isClaimed' | 'isContested' | 'isLessAFee' | 'isReservedLessAFee' | 'payerAddress';

export interface Suggestion extends Omit<Candidate, Unshown> {
  reasons: MatchReason[];
  /** The evidence is strong enough to be proposed as the answer; of one exception, at most one is. */
  isStrong: boolean;
}

export interface Suggestions {
  /** The wallet the money came from; null if the network does not say. */
  payerAddress: string | null;
  suggestions: Suggestion[];
}

/** Suggests what money that matched nothing was probably for, and who sent it. */
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
  const found = candidates.map((candidate) => ({
    candidate,
    reasons: reasonsOf(candidate, exception, payerAddress),
  }));
  const strong = strongestOf(found, exception);
  return {
    payerAddress,
    suggestions: found.map((each) => {
      const {
        isClaimed,
        isContested,
        isLessAFee,
        isReservedLessAFee,
        payerAddress: _,
        ...shown
      } = each.candidate;
      return { ...shown, reasons: each.reasons, isStrong: each === strong };
    }),
  };
}

function reasonsOf(
  { isClaimed, isLessAFee, payerAddress, paymentIntentId, missingCents, tipCents }: Candidate,
  { intentId, baseUnits }: PaymentException,
  sender: string | null,
): MatchReason[] {
  const holds: Record<MatchReason, boolean> = {
    claimed: isClaimed,
    named: paymentIntentId === intentId,
    same_amount: [missingCents, missingCents - tipCents].includes(baseUnitsToCents(baseUnits)),
    less_a_fee: isLessAFee,
    same_sender: payerAddress !== null && payerAddress === sender,
  };
  return MATCH_REASONS.filter((reason) => holds[reason]);
}

interface Found {
  candidate: Candidate;
  reasons: readonly MatchReason[];
}

/**
 * The one order that there is strong evidence for: the payment itself names it, by its reference or memo, or what it brought
 * points at this order alone. Where two kinds of evidence point at two orders, neither is strong.
 */
function strongestOf(found: readonly Found[], { createdAt }: PaymentException): Found | undefined {
  const named = found.find(({ reasons }) => reasons.includes('named'));
  if (named) return named;
  const reserved = found.filter(({ candidate }) => candidate.isReservedLessAFee);
  const pointedAt = onlyPointedAt(found, createdAt);
  if (pointedAt) return reserved.every((each) => each === pointedAt) ? pointedAt : undefined;
  // An exchange took its fee from an amount that was reserved: the digits beyond the cent are still those of one order alone.
  const [only] = reserved;
  return only && reserved.length === 1 && !only.candidate.isContested ? only : undefined;
}

/**
 * A payer claims it or its wallet has paid a part of it, which anybody can do and many customers of an exchange share: so this
 * counts only for the one order whose amount fits, which was there when the money came and whose claim nobody disputes. An
 * amount alone is no evidence, and one that is short of a fee is less than that.
 */
function onlyPointedAt(found: readonly Found[], createdAt: Date): Found | undefined {
  const fitting = found.filter(({ reasons }) => reasons.includes('same_amount'));
  const [only] = fitting;
  if (!only || fitting.length > 1) return undefined;
  const { candidate, reasons } = only;
  const isPointedAt = reasons.includes('claimed') || reasons.includes('same_sender');
  return isPointedAt && !candidate.isContested && candidate.createdAt <= createdAt ? only : undefined;
}
