import type { ExceptionsListQuery, PaymentException } from '@florin/sdk';
import { Text } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { numberText } from '../billing/price-text.ts';
import {
  type Column,
  createdRange,
  DATE_FILTERS,
  type Filter,
  firstOf,
  ListScreen,
} from '../parts/list-screen.tsx';
import { Money } from '../parts/money.tsx';
import { OnChain } from '../parts/on-chain.tsx';
import { Empty } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { KIND_NAMES, KINDS } from './kinds.ts';
import { ResolveButton } from './resolve-button.tsx';

const FILTERS: readonly Filter[] = [
  { kind: 'choice', name: 'status', label: 'Status', options: ['open', 'linked', 'returned', 'dust'] },
  { kind: 'choice', name: 'kind', label: 'Reason', options: Object.keys(KIND_NAMES), labels: KIND_NAMES },
  { kind: 'text', name: 'txSignature', label: 'Transaction', placeholder: 'Full transaction signature' },
  ...DATE_FILTERS,
];

const COLUMNS: readonly Column<PaymentException>[] = [
  { title: 'Amount', cell: ({ amountCents }) => <Money cents={amountCents} /> },
  {
    title: 'Reason',
    cell: ({ kind, transferCount }) => (
      <span title={KINDS[kind]}>
        {KIND_NAMES[kind]}
        {Number(transferCount) > 1 && `, ${numberText(transferCount)} transfers`}
      </span>
    ),
  },
  {
    title: 'Status',
    cell: ({ status }) => <Status of={status} tone={status === 'open' ? 'warn' : undefined} />,
  },
  {
    title: 'Transaction',
    cell: ({ txSignature }) => <OnChain kind="tx" text={txSignature} label="transaction" />,
    wideOnly: true,
  },
  { title: 'Arrived', cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
  { title: '', cell: (exception) => <ResolveButton exception={exception} />, align: 'right' },
];

const REFRESH_MS = 15_000;

export default function ExceptionsScreen() {
  return (
    <ListScreen<PaymentException, ExceptionsListQuery>
      title="Exceptions"
      name="exceptions"
      columns={COLUMNS}
      filters={FILTERS}
      query={(search) => ({
        status: search.status as ExceptionsListQuery['status'],
        kind: search.kind as ExceptionsListQuery['kind'],
        txSignature: firstOf(search.txSignature),
        ...createdRange(search),
      })}
      load={(query) => florin.exceptions.list(query)}
      loadCsv={(query) => florin.exceptions.listCsv(query)}
      refetchInterval={REFRESH_MS}
      empty={<Empty title="Nothing to review">Payments we can’t match automatically are listed here.</Empty>}
    >
      <Text c="dimmed" mb="sm" maw={640}>
        Payments we couldn’t match automatically. Match each to an order, or mark it as returned.
      </Text>
    </ListScreen>
  );
}
