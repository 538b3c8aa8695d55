import type { Refund } from '@florin/sdk';
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { Section } from '../parts/detail-screen.tsx';
import type { Column } from '../parts/list-screen.tsx';
import { Money } from '../parts/money.tsx';
import { PlainTable } from '../parts/short-list.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { REASONS } from './reasons.ts';
import { type RefundedThing, useRefundsOf } from './refunds-of.ts';

export function RefundStatus({ refund: { status, address } }: { refund: Refund }) {
  const isNamed = status === 'awaiting_address' && address !== null;
  return <Status of={isNamed ? 'awaiting_approval' : status} />;
}

export const REFUND_COLUMNS: readonly Column<Refund>[] = [
  { title: t('Number'), cell: ({ number }) => number, share: '25%' },
  { title: t('Status'), cell: (refund) => <RefundStatus refund={refund} />, share: '41%' },
  { title: t('Amount'), cell: ({ amountCents }) => <Money cents={amountCents} />, align: 'right' },
  { title: t('Reason'), cell: ({ reason }) => REASONS[reason], wideOnly: true },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

/** The refunds of a payment or an invoice; nothing where there are none. */
export function RefundsOf({ of }: { of: RefundedThing }) {
  const { data } = useRefundsOf(of);
  if (!data?.length) return null;
  return (
    <Section title={t('Refunds')}>
      <PlainTable
        caption={t('Refunds')}
        columns={REFUND_COLUMNS}
        items={data}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/refunds/${id}`}
      />
    </Section>
  );
}

/** Link to a refund by its number, which is requested once for each. */
export function RefundLink({ id, inherit = false }: { id: string; inherit?: boolean }) {
  const { data } = useQuery({
    queryKey: ['refunds', 'number', id],
    queryFn: async () => (await florin.refunds.retrieve(id)).number,
    // A number never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Anchor
      component={Link}
      to={`/refunds/${id}`}
      size="sm"
      inherit={inherit}
      underline={inherit ? 'always' : 'hover'}
    >
      {data ?? '…'}
    </Anchor>
  );
}
