import type { Notification, NotificationsListQuery } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan, useSession } from '../app/session.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { type Column, ListScreen } from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { EndpointStatus } from '../webhooks/endpoint-list.tsx';
import { t, tn } from '../words/t.ts';
import {
  eventLabel,
  KINDS,
  NewNotificationFields,
  notificationOf,
  notificationTitle,
} from './notification-fields.tsx';

const COLUMNS: readonly Column<Notification>[] = [
  { title: t('Notification'), cell: (notification) => notificationTitle(notification) },
  { title: t('Sent to'), cell: ({ kind }) => KINDS[kind] },
  { title: t('When'), cell: ({ eventTypes }) => whenText(eventTypes), wideOnly: true },
  { title: t('Status'), cell: ({ isActive }) => <EndpointStatus isActive={isActive} /> },
  { title: t('Added'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function NotificationsScreen() {
  const can = useCan();
  const create = can.own && <NewNotification />;
  return (
    <ListScreen<Notification, NotificationsListQuery>
      title={t('Notifications')}
      name="notifications"
      columns={COLUMNS}
      filters={[]}
      query={() => ({})}
      load={(query) => florin.notifications.list(query)}
      loadCsv={(query) => florin.notifications.listCsv(query)}
      hrefOf={({ id }) => `/notifications/${id}`}
      actions={create}
      empty={
        <Empty title={t('No notifications yet')}>
          {t(
            'Your team gets a message in Slack, Discord, Telegram or by e-mail when you are paid, a payment fails or something needs attention.',
          )}
          {!can.own && ` ${t('An owner can add one.')}`}
        </Empty>
      }
    />
  );
}

function whenText(eventTypes: readonly string[]): string {
  return eventTypes.length === 1
    ? eventLabel(eventTypes[0]!)
    : tn(eventTypes.length, '{count} kind of events', '{count} kinds of events');
}

function NewNotification() {
  const navigate = useNavigate();
  const { member } = useSession();
  return (
    <DialogForm
      button={t('Add notification')}
      icon="plus"
      kind="main"
      submit={t('Add notification')}
      run={(values) => {
        const kind = values.text('kind') as Notification['kind'];
        return florin.notifications.create({ kind, ...notificationOf(values) });
      }}
      refresh={['notifications']}
      onDone={({ id }) => void navigate({ to: `/notifications/${id}` })}
    >
      <NewNotificationFields memberEmail={member.email} />
    </DialogForm>
  );
}
