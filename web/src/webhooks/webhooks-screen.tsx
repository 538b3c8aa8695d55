import type { WebhookDeliveriesListQuery, WebhookDelivery } from '@florin/sdk';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import {
  type Column,
  createdRange,
  DATE_FILTERS,
  type Filter,
  firstOf,
  ListScreen,
} from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { EndpointList } from './endpoint-list.tsx';
import { SendTestButton } from './send-test-button.tsx';
import { WebhookSetting } from './webhook-setting.tsx';

const FILTERS: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    label: t('Status'),
    options: ['pending', 'succeeded', 'retrying', 'failed'],
  },
  { kind: 'text', name: 'event', label: t('Event'), placeholder: 'payment_intent.succeeded' },
  ...DATE_FILTERS,
];

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  { title: t('Event'), cell: ({ event }) => event, share: '70%' },
  { title: t('Status'), cell: ({ status }) => <Status of={status} /> },
  { title: t('Response'), cell: ({ httpStatus, error }) => httpStatus ?? error ?? '–', wideOnly: true },
  { title: t('Attempts'), cell: ({ attempts }) => attempts.length, align: 'right', wideOnly: true },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

/** Attempts are no events: what is tried again changes without one. */
const REFRESH_MS = 5_000;

export default function WebhooksScreen() {
  const can = useCan();
  return (
    <ListScreen<WebhookDelivery, WebhookDeliveriesListQuery>
      title={t('Webhooks')}
      name="webhook-deliveries"
      columns={COLUMNS}
      filters={FILTERS}
      query={(search) => ({
        status: search.status as WebhookDeliveriesListQuery['status'],
        event: firstOf(search.event),
        endpointId: firstOf(search.endpointId),
        ...createdRange(search),
      })}
      load={(query) => florin.webhookDeliveries.list(query)}
      loadCsv={(query) => florin.webhookDeliveries.listCsv(query)}
      hrefOf={({ id }) => `/webhooks/${id}`}
      refetchInterval={REFRESH_MS}
      actions={can.playSandbox && <SendTestButton />}
      empty={
        <Empty title={t('No deliveries yet')}>{t('Add an endpoint URL to start receiving events.')}</Empty>
      }
    >
      <WebhookSetting />
      <EndpointList />
    </ListScreen>
  );
}
