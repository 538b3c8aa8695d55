import type { BalanceEntry } from '@florin/sdk';
import { t, tc } from '../words/t.ts';

type Names = Partial<Record<BalanceEntry['kind'], string>>;

/** Reasons why a balance changed. */
export const ENTRY_KINDS: Names = {
  top_up: t('Top up'),
  usage: t('Usage'),
  adjustment: t('Adjustment'),
  invoice: t('Invoice'),
  stray_payment: t('Unapplied payment'),
  plan_change: t('Plan change'),
  refund: tc('noun', 'Refund'),
};

/** The entry that takes such a change back. */
export const REVERSED: Names = {
  top_up: t('Top up, reversed'),
  usage: t('Usage, reversed'),
  adjustment: t('Adjustment, reversed'),
  invoice: t('Invoice, reversed'),
  stray_payment: t('Unapplied payment, reversed'),
  plan_change: t('Plan change, reversed'),
  refund: t('Refund, reversed'),
};
