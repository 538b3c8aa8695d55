import type { CheckoutSession } from '@florin/sdk';
import { linesText } from '../billing/checkout-of.ts';
import type { Column } from '../parts/list-table.tsx';
import { Money } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';

/** What was bought, for the screens that say by whom. */
export const PURCHASES: readonly Column<CheckoutSession>[] = [
  { title: 'For', cell: ({ lineItems }) => linesText(lineItems) ?? '–' },
  { title: 'Amount', cell: ({ amountCents }) => <Money cents={amountCents} />, align: 'right' },
  { title: 'Status', cell: ({ paymentStatus }) => <Status of={paymentStatus} /> },
  { title: 'Date', cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];
