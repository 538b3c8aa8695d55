import type { Refund } from '@florin/sdk';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { moneyText } from '../parts/money.tsx';
import type { Step } from '../parts/timeline.tsx';
import { t } from '../words/t.ts';

const MAX = 100;

export type RefundedThing = { paymentIntentId: string } | { invoiceId: string };

/** The refunds of a payment or an invoice. */
export function useRefundsOf(of: RefundedThing) {
  return useQuery({
    queryKey: ['refunds', 'short', of],
    queryFn: async () => (await florin.refunds.list({ ...of, limit: MAX })).data,
  });
}

/** Returns a step for each refund that was sent. */
export function refundSteps(refunds: readonly Refund[] = []): Step[] {
  return refunds
    .filter(({ status }) => status === 'succeeded')
    .map(({ succeededAt, amountCents }) => ({
      at: succeededAt!,
      title: t('{amount} USDC refunded', { amount: moneyText(amountCents) }),
    }));
}

export const refundedCents = (refunds: readonly Refund[] = []): bigint =>
  refunds
    .filter(({ status }) => status === 'succeeded')
    .reduce((total, { amountCents }) => total + BigInt(amountCents), 0n);
