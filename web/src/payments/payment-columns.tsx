import type { ExpandedPaymentIntent } from '@florin/sdk';
import { buyerText } from '../billing/checkout-of.ts';
import { Lead, WithBelow } from '../parts/lead.tsx';
import type { Column } from '../parts/list-table.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t, tn } from '../words/t.ts';

/** Who paid for what. Of a payment without a checkout only the order is known. */
export const PAYMENT_COLUMNS: readonly Column<ExpandedPaymentIntent>[] = [
  {
    title: t('Customer'),
    cell: (intent) => (
      <Lead who={(intent.purchase && buyerText(intent.purchase)) ?? t('Anonymous')} what={whatOf(intent)} />
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
    cell: ({ expectedAmountCents }) => <Money cents={expectedAmountCents} />,
    align: 'right',
  },
  { title: t('Status'), cell: ({ status }) => <Status of={status ?? 'pending'} /> },
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
