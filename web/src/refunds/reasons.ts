import type { Refund } from '@florin/sdk';
import { t } from '../words/t.ts';

export const REASONS: Record<Refund['reason'], string> = {
  requested_by_customer: t('Requested by the customer'),
  duplicate: t('Duplicate'),
  fraudulent: t('Fraudulent'),
  overpaid: t('Overpaid'),
  other: t('Other'),
};

/** Texts for the person who named the address. */
export const SOURCES: Record<NonNullable<Refund['addressSource']>, string> = {
  merchant: t('Entered by you.'),
  customer: t('Named by the customer.'),
  payer: t('Signed for by the wallet that paid.'),
};

/** The same, before the merchant has approved it. */
export const OPEN_SOURCES: typeof SOURCES = {
  merchant: t('Entered by you; not approved yet.'),
  customer: t('Named by the customer; not approved yet.'),
  payer: t('Signed for by the wallet that paid; not approved yet.'),
};
