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
export function waysOf(exception: PaymentException): Way[] {
  const { kind, balanceEntryId, amountCents, paymentIntentId, isAfterPayment } = exception;
  if (kind === 'over_refunded') return ['returned', 'keep'];
  const ways: Way[] = LINKABLE.includes(kind) || isAfterPayment ? ['link'] : [];
  if (kind === 'stray' && paymentIntentId !== null) ways.push('accept');
  if (amountCents !== null && BigInt(amountCents) > 0n) ways.push('credit');
  if (balanceEntryId === null) ways.push('keep');
  return [...ways, 'returned'];
}

/** The order that there is strong evidence for, if there is one. */
export function strongMatch(
  suggestions: readonly PaymentExceptionSuggestion[],
): PaymentExceptionSuggestion | undefined {
  return suggestions.find(({ isStrong }) => isStrong);
}

/** The one that is proposed: a match with strong evidence. Everything else is for a person to choose. */
export function usualWay(
  exception: PaymentException,
  suggestions: readonly PaymentExceptionSuggestion[],
): Way | undefined {
  return strongMatch(suggestions) && waysOf(exception).includes('link') ? 'link' : undefined;
}
