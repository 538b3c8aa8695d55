import { Flag, Int32, List, Nullable, OneOf, Shape, Text, Timestamp, Uuid } from '../platform/http/schema.ts';
import type { Notification } from './notification.ts';
import { CHANNELS } from './notifications/channel.ts';

export const NotificationView = Shape('Notification', {
  id: Uuid(),
  kind: OneOf(CHANNELS),
  name: Nullable(Text({ description: 'For yourself.' })),
  destination: Text({
    max: 2048,
    description: 'Where it goes, without what must stay secret: the path of a URL is never shown.',
  }),
  chatId: Nullable(Text({ max: 64, description: 'Of a Telegram chat.' })),
  memberEmail: Nullable(Text({ max: 254, description: 'Of the member who gets the e-mails.' })),
  eventTypes: { ...List(Text({ max: 100 })), description: 'The names of the events that are sent.' },
  summaryHour: Int32({
    description: 'At which hour the daily `notification.summary` is sent, if it is chosen.',
  }),
  summaryTimeZone: Text({ max: 64 }),
  isActive: Flag('Whether anything is sent. What happens while it is false is not sent later.'),
  createdAt: Timestamp(),
});

export function presentNotification(notification: Notification) {
  const { merchantId: _, memberId: __, summaryAt: ___, summarySince: ____, ...view } = notification;
  return view;
}
