import type { NewWebhookEndpoint, WebhookEndpoint } from '@florin/sdk';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import type { Column } from '../parts/list-screen.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { ShortList } from '../parts/short-list.tsx';
import { Status } from '../parts/status.tsx';
import { t, tn } from '../words/t.ts';
import { EndpointFields, endpointOf, endpointTitle } from './endpoint-fields.tsx';

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  { title: t('Endpoint'), cell: (endpoint) => endpointTitle(endpoint) },
  { title: t('URL'), cell: ({ url }) => url, wideOnly: true },
  { title: t('Events'), cell: ({ eventTypes }) => eventsText(eventTypes) },
  { title: t('Status'), cell: ({ isActive }) => <EndpointStatus isActive={isActive} />, align: 'right' },
];

const MAX = 100;

/** All of them, the main one included. */
export function EndpointList() {
  const can = useCan();
  return (
    <ShortList
      title={t('Endpoints')}
      name="webhook-endpoints"
      of={{}}
      rows={MAX}
      load={(limit) => florin.webhookEndpoints.list({ limit })}
      columns={COLUMNS}
      hrefOf={({ id }) => `/webhooks/endpoints/${id}`}
      empty={can.own ? t('No endpoints yet.') : t('No endpoints yet. An owner can add one.')}
      actions={can.own && <NewEndpoint />}
    />
  );
}

export function EndpointStatus({ isActive }: { isActive: boolean }) {
  return <Status of={isActive ? 'active' : 'inactive'} />;
}

export function eventsText(eventTypes: readonly string[] | null): string {
  if (eventTypes === null) return t('All events');
  return eventTypes.length === 1 ? eventTypes[0]! : tn(eventTypes.length, '{count} event', '{count} events');
}

function NewEndpoint() {
  const [made, setMade] = useState<NewWebhookEndpoint>();
  return (
    <>
      <DialogForm
        button={t('Add endpoint')}
        icon="plus"
        submit={t('Add endpoint')}
        run={(values) => florin.webhookEndpoints.create(endpointOf(values))}
        refresh={['webhook-endpoints']}
        onDone={setMade}
      >
        <EndpointFields />
      </DialogForm>
      <SecretDialog
        title={t('Signing secret')}
        secret={made?.webhookSecret}
        onClose={() => setMade(undefined)}
      >
        {t('Your server uses it to verify what is sent to this endpoint. Copy it now: it isn’t shown again.')}
      </SecretDialog>
    </>
  );
}
