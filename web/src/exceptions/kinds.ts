import type { PaymentException } from '@florin/sdk';

/** In a word or two. */
export const KIND_NAMES: Record<PaymentException['kind'], string> = {
  unmatched: 'No match',
  ambiguous: 'Several matches',
  wrong_mint: 'Not USDC',
  canceled: 'Canceled before',
  late: 'Too late',
  surplus: 'Surplus',
  duplicate_order: 'Paid twice',
  stray: 'Left over',
};

/** Why a person should look at this money. */
export const KINDS: Record<PaymentException['kind'], string> = {
  unmatched: 'It names no payment of yours.',
  ambiguous: 'It names more than one payment.',
  wrong_mint: 'It is another token than USDC.',
  canceled: 'Its payment was canceled before.',
  late: 'It came long after its payment had expired.',
  surplus: 'It is more than was asked for.',
  duplicate_order: 'Its order was paid already.',
  stray: 'Its checkout was over, so it bought nothing.',
};
