import type { PaymentLink } from '@florin/sdk';
import { t } from '../words/t.ts';

type Counted = Pick<PaymentLink, 'paymentsCount' | 'maxPayments'>;

/** `3`, or `3 of 10` where it takes no more. */
export const paymentsText = ({ paymentsCount: used, maxPayments: limit }: Counted) =>
  limit ? t('{used} of {limit}', { used, limit }) : String(used);
