import type { ExceptionsListQuery, PaymentException } from '@florin/sdk';
import { Group, Text } from '@mantine/core';
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
import { RefundButton } from '../refunds/refund-button.tsx';
import { RefundLink } from '../refunds/refund-columns.tsx';
import { KIND_NAMES, KINDS } from './kinds.ts';
import { ResolveButton } from './resolve-button.tsx';

const FILTERS: readonly Filter[] = [
  { kind: 'choice', name: 'status', label: 'Status', options: ['open', 'linked', 'returned', 'dust'] },
  { kind: 'choice', name: 'kind', label: 'Reason', options: Object.keys(KIND_NAMES), labels: KIND_NAMES },
  { kind: 'text', name: 'txSignature', label: 'Transaction', placeholder: 'Full transaction signature' },
  { kind: 'text', name: 'exceptionId', label: 'Exception id', placeholder: 'Full id' },
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
    cell: ({ status, kind, refundId }) => (
      <>
        <Status of={status} tone={status === 'open' ? 'warn' : undefined} />
        {refundId && (
          <Text size="sm" component="span">
            {kind === 'over_refunded' ? ' of ' : status === 'returned' ? ' by ' : ' · '}
            <RefundLink id={refundId} />
          </Text>
        )}
      </>
    ),
  },
  {
    title: 'Transaction',
    cell: ({ txSignature }) => <OnChain kind="tx" text={txSignature} label="transaction" />,
    wideOnly: true,
  },
  { title: 'Arrived', cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
  { title: '', cell: (exception) => <Decide exception={exception} />, align: 'right' },
];

/** Another token is sent back by hand, and what was refunded too much is no longer here. */
function isRefundable({ kind, status, amountCents, refundId }: PaymentException): boolean {
  if (kind === 'wrong_mint' || kind === 'over_refunded' || refundId !== null) return false;
  return status === 'open' && BigInt(amountCents) > 0n;
}

function Decide({ exception }: { exception: PaymentException }) {
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      <RefundButton
        of={{ kind: 'exception', exception }}
        isOffered={isRefundable(exception)}
        button={{ size: 'compact-xs' }}
      />
      <ResolveButton exception={exception} />
    </Group>
  );
}

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
        exceptionId: firstOf(search.exceptionId),
        ...createdRange(search),
      })}
      load={(query) => florin.exceptions.list(query)}
      loadCsv={(query) => florin.exceptions.listCsv(query)}
      refetchInterval={REFRESH_MS}
      empty={<Empty title="Nothing to review">Payments we can’t match automatically are listed here.</Empty>}
    >
      <Text c="dimmed" mb="sm" maw={640}>
        Payments we couldn’t match automatically, and refunds sent for too much. Match each to an order,
        refund it, or mark it as returned.
      </Text>
    </ListScreen>
  );
}
