import type { ExpandedPaymentIntent } from '@florin/sdk';
import { buyerText } from '../billing/checkout-of.ts';
import { Lead, WithBelow } from '../parts/lead.tsx';
import type { Column } from '../parts/list-table.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';

/** Who paid for what. Of a payment without a checkout only the order is known. */
export const PAYMENT_COLUMNS: readonly Column<ExpandedPaymentIntent>[] = [
  {
    title: 'Customer',
    cell: (intent) => (
      <Lead who={(intent.purchase && buyerText(intent.purchase)) ?? 'Anonymous'} what={whatOf(intent)} />
    ),
    share: '40%',
  },
  {
    title: 'For',
    cell: (intent) => <WithBelow below={intent.purchase && intent.orderId}>{whatOf(intent)}</WithBelow>,
    wideOnly: true,
  },
  {
    title: 'Amount',
    cell: ({ expectedAmountCents }) => <Money cents={expectedAmountCents} />,
    align: 'right',
  },
  { title: 'Status', cell: ({ status }) => <Status of={status ?? 'pending'} /> },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

function whatOf({ purchase, orderId }: ExpandedPaymentIntent): string {
  if (!purchase?.description) return orderId ?? '–';
  const others = purchase.lineCount - 1;
  return others > 0 ? `${purchase.description} and ${others} more` : purchase.description;
}
