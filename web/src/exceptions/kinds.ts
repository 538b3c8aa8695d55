import type { PaymentException } from '@florin/sdk';

/** In a word or two. */
export const KIND_NAMES: Record<PaymentException['kind'], string> = {
  unmatched: 'No matching order',
  ambiguous: 'Several matching orders',
  wrong_mint: 'Wrong token',
  canceled: 'Paid after cancellation',
  late: 'Paid too late',
  surplus: 'Overpaid',
  duplicate_order: 'Paid twice',
  stray: 'Paid after checkout closed',
  over_refunded: 'Refunded too much',
};

/** Why a person should look at this money. */
export const KINDS: Record<PaymentException['kind'], string> = {
  unmatched: 'We couldn’t tell which order this is for.',
  ambiguous: 'It could be for more than one order.',
  wrong_mint: 'It isn’t USDC but another token.',
  canceled: 'This payment had already been canceled.',
  late: 'It arrived long after the payment had expired.',
  surplus: 'The customer overpaid.',
  duplicate_order: 'The order had already been paid.',
  stray: 'The checkout had already closed.',
  over_refunded: 'A refund was sent twice, or with more than its amount. The money left your wallet.',
};
