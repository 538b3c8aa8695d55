import type { WebhookDelivery, WebhookEndpoint } from '@florin/sdk';
import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts } from '../parts/detail-screen.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import type { Column } from '../parts/list-screen.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { ShortList } from '../parts/short-list.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { EndpointFields, endpointOf, endpointTitle } from './endpoint-fields.tsx';
import { EndpointStatus } from './endpoint-list.tsx';

const REFRESH_MS = 5_000;

const DELIVERIES: readonly Column<WebhookDelivery>[] = [
  { title: t('Event'), cell: ({ event }) => event },
  { title: t('Status'), cell: ({ status }) => <Status of={status} /> },
  { title: t('Response'), cell: ({ httpStatus, error }) => httpStatus ?? error ?? '–', wideOnly: true },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function EndpointScreen() {
  return (
    <DetailScreen<WebhookEndpoint>
      name="webhook-endpoints"
      load={(id) => florin.webhookEndpoints.retrieve(id)}
      back={{ to: '/webhooks', label: t('Webhooks') }}
      title={endpointTitle}
      badge={({ isActive }) => <EndpointStatus isActive={isActive} />}
      actions={(endpoint) => <Actions endpoint={endpoint} />}
      refetchInterval={REFRESH_MS}
    >
      {(endpoint) => <Endpoint endpoint={endpoint} />}
    </DetailScreen>
  );
}

function Endpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const of = { endpointId: endpoint.id };
  return (
    <>
      <Facts
        of={[
          [t('Sent to'), endpoint.url],
          [t('Events'), endpoint.eventTypes?.join(', ') ?? t('All events')],
          [t('Added'), <Time key="c" at={endpoint.createdAt} />],
          [t('Endpoint ID'), <Copyable key="i" text={endpoint.id} label={t('endpoint ID')} />],
        ]}
      />
      <ShortList
        title={t('Deliveries')}
        name="webhook-deliveries"
        of={of}
        load={(limit) => florin.webhookDeliveries.list({ ...of, limit })}
        columns={DELIVERIES}
        hrefOf={({ id }) => `/webhooks/${id}`}
        all={{ to: '/webhooks', search: of }}
        empty={t('Nothing was sent here yet.')}
      />
    </>
  );
}

function Actions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const can = useCan();
  const navigate = useNavigate();
  if (!can.change) return null;
  const refresh = ['webhook-endpoints', 'profile'];
  return (
    <Group gap="xs">
      {endpoint.isActive && <TestButton id={endpoint.id} />}
      <ChangeSecret id={endpoint.id} />
      {can.own && (
        <>
          <DialogForm
            button={t('Edit')}
            title={t('Edit endpoint')}
            submit={t('Save')}
            run={(values) => florin.webhookEndpoints.update(endpoint.id, values.changed(endpointOf))}
            done={t('Endpoint saved.')}
            refresh={refresh}
          >
            <EndpointFields endpoint={endpoint} />
          </DialogForm>
          <OnOff endpoint={endpoint} />
          <ActionDialogButton
            label={t('Delete')}
            explanation={t(
              'Nothing more is sent to this endpoint, not even what is being retried. The log of what was sent stays.',
            )}
            isDangerous
            action={{
              run: () => florin.webhookEndpoints.delete(endpoint.id),
              done: t('Endpoint deleted.'),
              refresh,
              onDone: () => void navigate({ to: '/webhooks' }),
            }}
          />
        </>
      )}
    </Group>
  );
}

function TestButton({ id }: { id: string }) {
  const test = useAction({
    run: () => florin.webhookEndpoints.test(id),
    done: t('Test event sent.'),
    refresh: ['webhook-deliveries'],
  });
  return (
    <Button size="xs" onClick={() => test.mutate()} loading={test.isPending}>
      {t('Send test')}
    </Button>
  );
}

function ChangeSecret({ id }: { id: string }) {
  const [fresh, setFresh] = useState<string>();
  return (
    <>
      <ActionDialogButton
        label={t('Change secret')}
        explanation={t(
          'For 24 hours, everything sent here carries two signatures: one with the old secret and one with the new. Update your server within that time.',
        )}
        button={{ variant: 'default' }}
        action={{
          run: () => florin.webhookEndpoints.generateSecret(id),
          onDone: ({ webhookSecret }) => setFresh(webhookSecret),
        }}
      />
      <SecretDialog title={t('New signing secret')} secret={fresh} onClose={() => setFresh(undefined)}>
        {t('Copy it now. The old secret stays valid for 24 hours.')}
      </SecretDialog>
    </>
  );
}

function OnOff({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, isActive } = endpoint;
  const action = useAction({
    run: () => florin.webhookEndpoints.update(id, { isActive: !isActive }),
    done: isActive ? t('Switched off. What happens meanwhile is not sent later.') : t('Switched on.'),
    refresh: ['webhook-endpoints'],
  });
  return (
    <Button size="xs" variant="default" onClick={() => action.mutate()} loading={action.isPending}>
      {isActive ? t('Switch off') : t('Switch on')}
    </Button>
  );
}
