import type { Refund } from '@florin/sdk';
import { t } from '../words/t.ts';

export const REASONS: Record<Refund['reason'], string> = {
  requested_by_customer: t('Requested by the customer'),
  duplicate: t('Duplicate'),
  fraudulent: t('Fraudulent'),
  overpaid: t('Overpaid'),
  other: t('Other'),
};

export const SOURCES: Record<NonNullable<Refund['addressSource']>, string> = {
  merchant: 'Entered by you',
  customer: t('Named by the customer'),
  payer: t('Signed for by the wallet that paid'),
};
