import type { Notification, WebhookDelivery } from '@florin/sdk';
import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts } from '../parts/detail-screen.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import type { Column } from '../parts/list-screen.tsx';
import { ShortList } from '../parts/short-list.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { EndpointStatus } from '../webhooks/endpoint-list.tsx';
import { t } from '../words/t.ts';
import {
  eventLabel,
  KINDS,
  NotificationFields,
  notificationOf,
  notificationTitle,
} from './notification-fields.tsx';

const REFRESH_MS = 5_000;

const DELIVERIES: readonly Column<WebhookDelivery>[] = [
  { title: t('Event'), cell: ({ event }) => eventLabel(event) },
  { title: t('Status'), cell: ({ status }) => <Status of={status} /> },
  { title: t('Response'), cell: ({ httpStatus, error }) => httpStatus ?? error ?? '–', wideOnly: true },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

export default function NotificationScreen() {
  return (
    <DetailScreen<Notification>
      name="notifications"
      load={(id) => florin.notifications.retrieve(id)}
      back={{ to: '/notifications', label: t('Notifications') }}
      title={notificationTitle}
      badge={({ isActive }) => <EndpointStatus isActive={isActive} />}
      actions={(notification) => <Actions notification={notification} />}
      refetchInterval={REFRESH_MS}
    >
      {(notification) => <Details notification={notification} />}
    </DetailScreen>
  );
}

function Details({ notification }: { notification: Notification }) {
  const of = { endpointId: notification.id };
  return (
    <>
      <Facts
        of={[
          [t('Sent to'), `${KINDS[notification.kind]}: ${whereText(notification)}`],
          [t('When'), notification.eventTypes.map(eventLabel).join(', ')],
          [t('Added'), <Time key="c" at={notification.createdAt} />],
          [t('Notification ID'), <Copyable key="i" text={notification.id} label={t('notification ID')} />],
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

function whereText({ kind, memberEmail, chatId, destination }: Notification): string {
  if (kind === 'email') return memberEmail ?? t('a member who left');
  return chatId === null ? destination : t('chat {chatId}', { chatId });
}

function Actions({ notification }: { notification: Notification }) {
  const can = useCan();
  const navigate = useNavigate();
  if (!can.change) return null;
  const refresh = ['notifications'];
  return (
    <Group gap="xs">
      {notification.isActive && <TestButton id={notification.id} />}
      {can.own && (
        <>
          <DialogForm
            button={t('Edit')}
            title={t('Edit notification')}
            submit={t('Save')}
            run={(values) => florin.notifications.update(notification.id, values.changed(notificationOf))}
            done={t('Notification saved.')}
            refresh={refresh}
          >
            <NotificationFields notification={notification} />
          </DialogForm>
          <OnOff notification={notification} />
          <ActionDialogButton
            label={t('Delete')}
            explanation={t(
              'Nothing more is sent there, not even what is being retried. The log of what was sent stays.',
            )}
            isDangerous
            action={{
              run: () => florin.notifications.delete(notification.id),
              done: t('Notification deleted.'),
              refresh,
              onDone: () => void navigate({ to: '/notifications' }),
            }}
          />
        </>
      )}
    </Group>
  );
}

function TestButton({ id }: { id: string }) {
  const test = useAction({
    run: () => florin.notifications.test(id),
    done: t('Test message sent.'),
    refresh: ['webhook-deliveries'],
  });
  return (
    <Button size="xs" onClick={() => test.mutate()} loading={test.isPending}>
      {t('Send test')}
    </Button>
  );
}

function OnOff({ notification }: { notification: Notification }) {
  const { id, isActive } = notification;
  const action = useAction({
    run: () => florin.notifications.update(id, { isActive: !isActive }),
    done: isActive ? t('Switched off. What happens meanwhile is not sent later.') : t('Switched on.'),
    refresh: ['notifications'],
  });
  return (
    <Button size="xs" variant="default" onClick={() => action.mutate()} loading={action.isPending}>
      {isActive ? t('Switch off') : t('Switch on')}
    </Button>
  );
}
