import type { Refund } from '@florin/sdk';

export const REASONS: Record<Refund['reason'], string> = {
  requested_by_customer: 'Requested by the customer',
  duplicate: 'Duplicate',
  fraudulent: 'Fraudulent',
  overpaid: 'Overpaid',
  other: 'Other',
};

export const SOURCES: Record<NonNullable<Refund['addressSource']>, string> = {
  merchant: 'Entered by you',
  customer: 'Named by the customer',
  payer: 'Signed for by the wallet that paid',
};
