import type { PaymentException } from '@florin/sdk';
import { t } from '../words/t.ts';

/** In a word or two. */
export const KIND_NAMES: Record<PaymentException['kind'], string> = {
  unmatched: t('No matching order'),
  ambiguous: t('Several matching orders'),
  wrong_mint: t('Wrong token'),
  canceled: t('Paid after cancellation'),
  late: t('Paid too late'),
  surplus: t('Overpaid'),
  duplicate_order: t('Paid twice'),
  stray: t('Paid after checkout closed'),
  over_refunded: t('Refunded too much'),
};

/** Why a person should look at this money. */
export const KINDS: Record<PaymentException['kind'], string> = {
  unmatched: t('We couldn’t tell which order this is for.'),
  ambiguous: t('It could be for more than one order.'),
  wrong_mint: t('It isn’t USDC but another token.'),
  canceled: t('This payment had already been canceled.'),
  late: t('It arrived long after the payment had expired.'),
  surplus: t('The customer overpaid.'),
  duplicate_order: t('The order had already been paid.'),
  stray: t('The checkout had already closed.'),
  over_refunded: t('A refund was sent twice, or with more than its amount. The money left your wallet.'),
};
