import type { Refund, RefundsListQuery } from '@florin/sdk';
import { Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { CustomerName } from '../billing/names.tsx';
import { useOwnerFilters } from '../billing/use-projects.ts';
import { Lead } from '../parts/lead.tsx';
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
import { Time } from '../parts/time.tsx';
import { t, tn } from '../words/t.ts';
import { REASONS } from './reasons.ts';
import { RefundStatus } from './refund-columns.tsx';
import { RefundRequests } from './refund-requests.tsx';
import { SendButtons } from './send-buttons.tsx';
import { isUnderWay, MAX_AT_ONCE } from './sending.ts';

const STATUSES = ['awaiting_address', 'ready', 'processing', 'succeeded', 'canceled', 'expired'] as const;

const FILTERS: readonly Filter[] = [
  { kind: 'choice', name: 'status', label: t('Status'), options: STATUSES },
  { kind: 'text', name: 'txSignature', label: t('Transaction'), placeholder: t('Its whole signature') },
  ...DATE_FILTERS,
];

const COLUMNS: readonly Column<Refund>[] = [
  {
    title: t('Customer'),
    cell: ({ customerId, number }) => (
      <Lead who={customerId ? <CustomerName id={customerId} /> : t('Anonymous')} what={number} />
    ),
    share: '32%',
  },
  { title: t('Number'), cell: ({ number }) => number, wideOnly: true },
  { title: t('Amount'), cell: ({ amountCents }) => <Money cents={amountCents} />, align: 'right' },
  { title: t('Status'), cell: (refund) => <RefundStatus refund={refund} />, share: '38%' },
  { title: t('Reason'), cell: ({ reason }) => REASONS[reason], wideOnly: true },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function RefundsScreen() {
  const can = useCan();
  const ownerFilters = useOwnerFilters();
  const [chosen, setChosen] = useState<readonly Refund[]>([]);
  const columns = [...COLUMNS, ...(can.own ? [chooser(chosen, setChosen)] : [])];
  return (
    <ListScreen<Refund, RefundsListQuery>
      title={t('Refunds')}
      name="refunds"
      columns={columns}
      filters={[...ownerFilters, ...FILTERS]}
      query={(search) => ({
        status: search.status as RefundsListQuery['status'],
        projectId: firstOf(search.projectId),
        customerId: firstOf(search.customerId),
        txSignature: firstOf(search.txSignature),
        ...createdRange(search),
      })}
      load={(query) => florin.refunds.list(query)}
      loadCsv={(query) => florin.refunds.listCsv(query)}
      hrefOf={({ id }) => `/refunds/${id}`}
      empty={
        <Empty title={t('No refunds yet')}>
          {t(
            'Open a payment, an invoice or an exception and choose Refund. Your own wallet sends the money.',
          )}
        </Empty>
      }
    >
      <RefundRequests />
      {chosen.length > 0 && <SendChosen chosen={chosen} onSent={() => setChosen([])} />}
    </ListScreen>
  );
}

/** Ticks those that are ready, as many as one transaction takes. */
function chooser(chosen: readonly Refund[], choose: (next: readonly Refund[]) => void): Column<Refund> {
  return {
    title: '',
    align: 'right',
    share: '10%',
    cell(refund) {
      if (refund.status !== 'ready' || isUnderWay(refund)) return null;
      const isChosen = chosen.some(({ id }) => id === refund.id);
      const others = chosen.filter(({ id }) => id !== refund.id);
      return (
        <Checkbox
          aria-label={t('Select {number}', { number: refund.number })}
          checked={isChosen}
          disabled={!isChosen && chosen.length >= MAX_AT_ONCE}
          onChange={() => choose(isChosen ? others : [...chosen, refund])}
          display="inline-block"
        />
      );
    },
  };
}

function SendChosen({ chosen, onSent }: { chosen: readonly Refund[]; onSent(): void }) {
  const count = chosen.length;
  return (
    <Group mb="sm" gap="sm">
      <SendButtons
        refunds={chosen}
        labelOf={(wallet) =>
          tn(count, 'Send {count} refund with {wallet}', 'Send {count} refunds with {wallet}', { wallet })
        }
        onSent={onSent}
      />
      <Text size="sm" c="dimmed">
        {t('One signature sends all of them, or none. {most} at most.', { most: MAX_AT_ONCE })}
      </Text>
    </Group>
  );
}
