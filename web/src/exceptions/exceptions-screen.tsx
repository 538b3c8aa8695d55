import type { ExceptionsListQuery, PaymentException } from '@florin/sdk';
import { Checkbox, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { Dotted } from '../parts/dotted.tsx';
import {
  type Column,
  createdRange,
  DATE_FILTERS,
  type Filter,
  firstOf,
  ListScreen,
} from '../parts/list-screen.tsx';
import styles from '../parts/list-table.module.css';
import { OnChain } from '../parts/on-chain.tsx';
import { Empty } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { RefundButton } from '../refunds/refund-button.tsx';
import { RefundLink } from '../refunds/refund-columns.tsx';
import { T } from '../words/rich.tsx';
import { t, tn } from '../words/t.ts';
import { Arrived, amountText } from './amount.tsx';
import { DecideSeveral } from './decide-several.tsx';
import { KIND_NAMES, reasonTextOf } from './kinds.ts';
import { ResolveButton } from './resolve-button.tsx';
import { isResolvable } from './ways.ts';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: t('Status'),
    options: ['open', 'linked', 'returned', 'kept', 'credited', 'dust'],
  },
  { kind: 'choice', name: 'kind', label: t('Reason'), options: Object.keys(KIND_NAMES), labels: KIND_NAMES },
  {
    kind: 'text',
    name: 'txSignature',
    label: t('Transaction'),
    placeholder: t('Full transaction signature'),
  },
  { kind: 'text', name: 'exceptionId', label: t('Exception id'), placeholder: t('Full id') },
  { kind: 'text', name: 'refundId', label: t('Refund id'), placeholder: t('Full id') },
  ...DATE_FILTERS,
];

const WIDE: readonly Column<PaymentException>[] = [
  { title: t('Amount'), cell: (exception) => <Arrived of={exception} /> },
  {
    title: t('Reason'),
    cell: (exception) => <span title={reasonTextOf(exception)}>{reasonOf(exception)}</span>,
  },
  { title: t('Status'), cell: (exception) => <StatusOf exception={exception} /> },
  {
    title: t('Transaction'),
    cell: ({ txSignature }) => <OnChain kind="tx" text={txSignature} label={t('transaction')} />,
  },
  { title: t('Arrived'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right' },
  { title: '', cell: (exception) => <Decide exception={exception} />, align: 'right' },
];

/** Columns of the narrow list: exceptions to decide have buttons, the others show what became of them. */
const NARROW: readonly Column<PaymentException>[] = [
  {
    title: t('Amount and reason'),
    cell: (exception) => (
      <>
        <Arrived of={exception} />
        <span className={styles.below}>
          {reasonOf(exception)}
          {isExcess(exception) && (
            <>
              {' · '}
              <RefundLink id={exception.refundId!} inherit />
            </>
          )}
        </span>
      </>
    ),
  },
  {
    title: t('Status'),
    cell: (exception) => <Decide exception={exception} otherwise={<ShortStatus of={exception} />} />,
    align: 'right',
    share: '46%',
  },
];

function reasonOf({ kind, transferCount }: PaymentException): string {
  const reason = KIND_NAMES[kind];
  if (Number(transferCount) <= 1) return reason;
  return tn(transferCount, '{reason}, {count} transfer', '{reason}, {count} transfers', { reason });
}

const isExcess = ({ kind }: PaymentException) => kind === 'over_refunded';

function ShortStatus({ of }: { of: PaymentException }) {
  return (
    <div>
      <Chip of={of} />
      {of.refundId && !isExcess(of) && (
        <span className={styles.below}>
          <RefundLink id={of.refundId} inherit />
        </span>
      )}
    </div>
  );
}

function Chip({ of: { status } }: { of: Pick<PaymentException, 'status'> }) {
  return <Status of={status} tone={status === 'open' ? 'warn' : undefined} />;
}

function StatusOf({ exception: { status, kind, refundId } }: { exception: PaymentException }) {
  const chip = <Chip of={{ status }} />;
  if (!refundId) return chip;
  const refund = <RefundLink id={refundId} />;
  return (
    <Text size="sm" component="span">
      {kind === 'over_refunded' ? (
        <T of="{status} of {refund}" status={chip} refund={refund} />
      ) : status === 'returned' ? (
        <T of="{status} by {refund}" status={chip} refund={refund} />
      ) : (
        <Dotted of={[chip, refund]} />
      )}
    </Text>
  );
}

/** Another token is sent back by hand, and what was refunded too much is no longer here. */
function isRefundable({ kind, status, amountCents, refundId }: PaymentException): boolean {
  if (amountCents === null || kind === 'over_refunded' || refundId !== null) return false;
  return status === 'open' && BigInt(amountCents) > 0n;
}

interface DecideProps {
  exception: PaymentException;
  /** Shown if there is nothing to decide, or nothing for this member. */
  otherwise?: ReactNode;
}

function Decide({ exception, otherwise }: DecideProps) {
  const can = useCan();
  const isDecidable = can.own && (isRefundable(exception) || isResolvable(exception));
  // The dialogs outlive the buttons: what is decided may still be shown in one.
  return (
    <Group gap={6} justify="flex-end" wrap="nowrap">
      {!isDecidable && otherwise}
      <RefundButton
        of={{ kind: 'exception', exception }}
        isOffered={isRefundable(exception)}
        button={{ size: 'compact-xs' }}
      />
      <ResolveButton exception={exception} />
    </Group>
  );
}

/** Ticks those that can be decided. */
function chooser(
  chosen: readonly PaymentException[],
  choose: (next: readonly PaymentException[]) => void,
): Column<PaymentException> {
  return {
    title: t('Select'),
    share: '14%',
    cell(exception) {
      if (!isResolvable(exception)) return null;
      const isChosen = chosen.some(({ id }) => id === exception.id);
      const others = chosen.filter(({ id }) => id !== exception.id);
      return (
        <Checkbox
          aria-label={t('Select {amount}, {reason}', {
            amount: amountText(exception),
            reason: reasonOf(exception),
          })}
          checked={isChosen}
          disabled={!isChosen && chosen.length >= MAX_AT_ONCE}
          onChange={() => choose(isChosen ? others : [...chosen, exception])}
          display="inline-block"
        />
      );
    },
  };
}

const MAX_AT_ONCE = 50;
const REFRESH_MS = 15_000;

export default function ExceptionsScreen() {
  const isNarrow = useMediaQuery('(max-width: 68em)', undefined, { getInitialValueInEffect: false });
  const can = useCan();
  const [chosen, setChosen] = useState<readonly PaymentException[]>([]);
  const columns = isNarrow ? NARROW : WIDE;
  return (
    <ListScreen<PaymentException, ExceptionsListQuery>
      title={t('Exceptions')}
      name="exceptions"
      columns={can.own ? [chooser(chosen, setChosen), ...columns] : columns}
      filters={FILTERS}
      query={(search) => ({
        status: search.status as ExceptionsListQuery['status'],
        kind: search.kind as ExceptionsListQuery['kind'],
        txSignature: firstOf(search.txSignature),
        exceptionId: firstOf(search.exceptionId),
        refundId: firstOf(search.refundId),
        ...createdRange(search),
      })}
      load={(query) => florin.exceptions.list(query)}
      loadCsv={(query) => florin.exceptions.listCsv(query)}
      refetchInterval={REFRESH_MS}
      empty={
        <Empty title={t('Nothing to review')}>
          {t('Payments we can’t match automatically are listed here.')}
        </Empty>
      }
    >
      <Text c="dimmed" mb="sm" maw={640}>
        {t(
          'Payments we couldn’t match automatically, and refunds sent for too much. Match each to an order, refund it, credit it to a customer, or keep it.',
        )}
      </Text>
      <DecideSeveral chosen={chosen} onDone={() => setChosen([])} />
    </ListScreen>
  );
}
