import type { PaymentException, PaymentExceptionSuggestion } from '@florin/sdk';

export type Way = 'link' | 'accept' | 'credit' | 'keep' | 'returned';

/** Undecided, and not tied up in a refund. */
export function isResolvable({ status, kind, refundId }: PaymentException): boolean {
  const isHeld = refundId !== null && kind !== 'over_refunded';
  return (status === 'open' || status === 'dust') && !isHeld;
}

/** Decided by a person, and nothing that was paid for or sent. */
export function isUndoable({ status, refundId }: PaymentException): boolean {
  return ['returned', 'kept', 'credited'].includes(status) && refundId === null;
}

const LINKABLE = ['unmatched', 'ambiguous', 'canceled', 'late'];

/** The possible decisions. The service checks again, whatever is offered here. */
export function waysOf({ kind, balanceEntryId, amountCents, paymentIntentId }: PaymentException): Way[] {
  if (kind === 'over_refunded') return ['returned', 'keep'];
  const ways: Way[] = LINKABLE.includes(kind) ? ['link'] : [];
  if (kind === 'stray' && paymentIntentId !== null) ways.push('accept');
  if (kind !== 'wrong_mint' && BigInt(amountCents) > 0n) ways.push('credit');
  if (balanceEntryId === null) ways.push('keep');
  return [...ways, 'returned'];
}

/** The one that always works. */
export function usualWay(
  exception: PaymentException,
  suggestions: readonly PaymentExceptionSuggestion[],
): Way {
  const ways = waysOf(exception);
  if (exception.kind === 'over_refunded') return 'returned';
  if (ways.includes('link') && suggestions.length > 0) return 'link';
  if (exception.balanceEntryId !== null && ways.includes('credit')) return 'credit';
  return ways.includes('keep') ? 'keep' : 'returned';
}
