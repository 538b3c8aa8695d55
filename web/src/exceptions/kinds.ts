import type { PaymentException } from '@florin/sdk';

/** Why a person should look at this money. */
export const KINDS: Record<PaymentException['kind'], string> = {
  unmatched: 'It names no payment of yours.',
  ambiguous: 'It names more than one payment.',
  wrong_mint: 'It is another token than USDC.',
  canceled: 'Its payment was canceled before.',
  late: 'It came long after its payment had expired.',
  surplus: 'It is more than was asked for.',
  duplicate_order: 'Its order was paid already.',
  stray: 'It came to an address of yours outside of any payment.',
};
