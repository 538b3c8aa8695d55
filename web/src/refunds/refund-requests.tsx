import type { RefundRequest } from '@florin/sdk';
import { Anchor, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Section } from '../parts/detail-screen.tsx';
import { Money } from '../parts/money.tsx';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';

const TITLES = [t('Payment'), t('Received'), t('Reason'), t('Requested'), ''];
const MAX = 100;

/** Open requests of staff at tills; nothing where there are none. */
export function RefundRequests() {
  const can = useCan();
  const { data } = useQuery({
    queryKey: ['refund-requests'],
    queryFn: async () => (await florin.refundRequests.list({ status: 'open', limit: MAX })).data,
  });
  if (!data || data.length === 0) return null;
  return (
    <Section title={t('Requested at a till')}>
      <SimpleTable
        caption={t('Refunds requested at a till')}
        titles={TITLES}
        rows={data.map((request) => rowOf(request, can.own))}
      />
    </Section>
  );
}

function rowOf(request: RefundRequest, canDecide: boolean) {
  return {
    id: request.id,
    cells: [
      <Anchor key="p" component={Link} to={`/payments/${request.paymentIntentId}`} size="sm">
        {request.orderId}
      </Anchor>,
      <Money key="m" cents={request.receivedCents} />,
      request.reason ?? '–',
      <Time key="t" at={request.createdAt} />,
      canDecide ? <Decide key="d" request={request} /> : null,
    ],
  };
}

function Decide({ request }: { request: RefundRequest }) {
  const navigate = useNavigate();
  const { id, orderId } = request;
  return (
    <Group gap="xs" wrap="nowrap">
      <ActionDialogButton<RefundRequest>
        label={t('Approve')}
        submit={t('Approve refund')}
        button={{ size: 'compact-xs' }}
        explanation={t(
          'This creates a refund of {orderId}. Then choose the address, and send it from your wallet.',
          { orderId },
        )}
        action={{
          run: () => florin.refundRequests.approve(id),
          done: t('Refund created.'),
          refresh: ['refund-requests', 'refunds', 'intents'],
          onDone: ({ refundId }) => void navigate({ to: `/refunds/${refundId}` }),
        }}
      />
      <ActionDialogButton<RefundRequest>
        label={t('Decline')}
        submit={t('Decline request')}
        isDangerous
        button={{ size: 'compact-xs' }}
        explanation={t('Staff see at the till that it was declined. They can ask again.')}
        action={{
          run: () => florin.refundRequests.decline(id),
          done: t('Request declined.'),
          refresh: ['refund-requests'],
        }}
      />
    </Group>
  );
}
