import type { ExpandedCheckoutSession } from '@florin/sdk';
import { linesText } from '../billing/checkout-of.ts';
import { Lead } from '../parts/lead.tsx';
import type { Column } from '../parts/list-table.tsx';
import { Time } from '../parts/time.tsx';
import { PaymentAmount, PaymentStatus } from '../payments/payment-amount.tsx';
import { t } from '../words/t.ts';

/** Columns for purchases on screens of one buyer, with the words and amounts of the list of payments. */
export const PURCHASES: readonly Column<ExpandedCheckoutSession>[] = [
  {
    title: t('For'),
    cell: (session) => (
      <Lead who={linesText(session.lineItems) ?? '–'} when={<Time at={dateOf(session)} />} />
    ),
    share: '40%',
  },
  {
    title: t('Amount'),
    cell: ({ amountCents, amountReceivedCents, paymentStatus }) => (
      <PaymentAmount
        expected={amountCents}
        received={amountReceivedCents}
        isPaid={paymentStatus === 'paid'}
      />
    ),
    align: 'right',
  },
  {
    title: t('Status'),
    cell: ({ paymentStatus, amountReceivedCents, invoice }) => (
      <PaymentStatus
        of={STATUSES[paymentStatus]}
        received={amountReceivedCents}
        refunded={invoice?.refundedCents}
      />
    ),
  },
  { title: t('Date'), cell: (session) => <Time at={dateOf(session)} />, align: 'right', wideOnly: true },
];

/** Status of the checkout's payment, by the names of payments. */
const STATUSES = {
  unpaid: 'unpaid',
  processing: 'processing',
  underpaid: 'underpaid',
  paid: 'succeeded',
} as const;

/** Returns the time of payment; for an open checkout, of its creation. */
const dateOf = ({ completedAt, createdAt }: ExpandedCheckoutSession) => completedAt ?? createdAt;
