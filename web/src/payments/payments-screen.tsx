import type { IntentsListQuery, PaymentIntent } from '@florin/sdk';
import { florin } from '../app/florin.ts';
import { madeAt } from '../parts/is-id.ts';
import {
  type Column,
  createdRange,
  DATE_FILTERS,
  type Filter,
  firstOf,
  ListScreen,
} from '../parts/list-screen.tsx';
import { Money } from '../parts/money.tsx';
import { Empty } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';

const STATUSES = [
  'succeeded',
  'processing',
  'pending',
  'underpaid',
  'expired',
  'canceled',
  'failed',
] as const;

const FILTERS: readonly Filter[] = [
  { kind: 'choice', name: 'status', label: 'Status', options: STATUSES },
  { kind: 'text', name: 'orderId', label: 'Order', placeholder: 'Exactly as you gave it' },
  ...DATE_FILTERS,
];

const COLUMNS: readonly Column<PaymentIntent>[] = [
  { title: 'Amount', cell: ({ expectedAmountCents }) => <Money cents={expectedAmountCents} /> },
  { title: 'Status', cell: ({ status }) => <Status of={status ?? 'pending'} /> },
  { title: 'Order', cell: ({ orderId }) => orderId ?? '–' },
  {
    title: 'Received',
    cell: ({ amountReceivedCents }) => <Money cents={amountReceivedCents} />,
    align: 'right',
    wideOnly: true,
  },
  { title: 'Created', cell: ({ id }) => <Time at={madeAt(id)} />, align: 'right', wideOnly: true },
];

export default function PaymentsScreen() {
  return (
    <ListScreen<PaymentIntent, IntentsListQuery>
      title="Payments"
      name="intents"
      columns={COLUMNS}
      filters={FILTERS}
      query={(search) => ({
        status: search.status as IntentsListQuery['status'],
        orderId: firstOf(search.orderId),
        ...createdRange(search),
      })}
      load={(query) => florin.intents.list(query)}
      loadCsv={(query) => florin.intents.listCsv(query)}
      hrefOf={({ id }) => `/payments/${id}`}
      empty={
        <Empty title="No payments yet">
          Every request for money shows here: from the API, a checkout, a payment link or a terminal.
        </Empty>
      }
    />
  );
}
