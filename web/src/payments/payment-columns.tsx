import type { ExpandedPaymentIntent } from '@florin/sdk';
import { buyerText } from '../billing/checkout-of.ts';
import { Lead, WithBelow } from '../parts/lead.tsx';
import type { Column } from '../parts/list-table.tsx';
import { Time } from '../parts/time.tsx';
import { t, tn } from '../words/t.ts';
import { PaymentAmount, PaymentStatus } from './payment-amount.tsx';

/** Columns with the customer and the purchase. A payment without a checkout has only an order. */
export const PAYMENT_COLUMNS: readonly Column<ExpandedPaymentIntent>[] = [
  {
    title: t('Customer'),
    cell: (intent) => (
      <Lead
        who={(intent.purchase && buyerText(intent.purchase)) ?? t('Anonymous')}
        what={whatOf(intent)}
        when={<Time at={intent.createdAt} />}
      />
    ),
    share: '40%',
  },
  {
    title: t('For'),
    cell: (intent) => <WithBelow below={intent.purchase && intent.orderId}>{whatOf(intent)}</WithBelow>,
    wideOnly: true,
  },
  {
    title: t('Amount'),
    cell: ({ expectedAmountCents, amountReceivedCents, status }) => (
      <PaymentAmount
        expected={expectedAmountCents}
        received={amountReceivedCents}
        isPaid={status === 'succeeded'}
      />
    ),
    align: 'right',
  },
  {
    title: t('Status'),
    cell: ({ status, amountReceivedCents, outcome }) => (
      <PaymentStatus
        of={status ?? 'pending'}
        received={amountReceivedCents}
        refunded={outcome?.refundedCents}
      />
    ),
  },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

function whatOf({ purchase, orderId }: ExpandedPaymentIntent): string {
  if (!purchase?.description) return orderId ?? '–';
  const others = purchase.lineCount - 1;
  return others > 0
    ? tn(others, '{description} and {count} more', '{description} and {count} more', {
        description: purchase.description,
      })
    : purchase.description;
}
