import type { PaymentException } from '@florin/sdk';
import { t, tn } from '../words/t.ts';

/** Names of the kinds in a word or two. */
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

/** Returns the reason why a person should look at this money. */
export const reasonTextOf = ({ kind, isAfterPayment }: PaymentException) =>
  KINDS[isAfterPayment ? 'duplicate_order' : kind];

const KINDS: Record<PaymentException['kind'], string> = {
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

/** Names of each kind in the plural; the number comes before them. */
const COUNTED: Record<PaymentException['kind'], (count: number) => string> = {
  unmatched: (count) => tn(count, 'payment without a matching order', 'payments without a matching order'),
  ambiguous: (count) => tn(count, 'payment that fits several orders', 'payments that fit several orders'),
  wrong_mint: (count) => tn(count, 'payment in another token', 'payments in another token'),
  canceled: (count) => tn(count, 'payment after cancellation', 'payments after cancellation'),
  late: (count) => tn(count, 'payment that came too late', 'payments that came too late'),
  surplus: (count) => tn(count, 'overpaid amount', 'overpaid amounts'),
  duplicate_order: (count) => tn(count, 'order paid twice', 'orders paid twice'),
  stray: (count) => tn(count, 'payment after checkout closed', 'payments after checkout closed'),
  over_refunded: (count) => tn(count, 'refund sent for too much', 'refunds sent for too much'),
};

export const kindCount = (kind: PaymentException['kind'], count: number) => COUNTED[kind](count);
