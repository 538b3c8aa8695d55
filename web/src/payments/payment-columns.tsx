import type { PaymentIntent } from '@florin/sdk';
import type { Column } from '../parts/list-table.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';

export const PAYMENT_COLUMNS: readonly Column<PaymentIntent>[] = [
  { title: 'Amount', cell: ({ expectedAmountCents }) => <Money cents={expectedAmountCents} /> },
  { title: 'Status', cell: ({ status }) => <Status of={status ?? 'pending'} /> },
  { title: 'Order', cell: ({ orderId }) => orderId ?? '–' },
  {
    title: 'Received',
    cell: ({ amountReceivedCents }) => <Money cents={amountReceivedCents} />,
    align: 'right',
    wideOnly: true,
  },
  { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];
