import { EventBody } from '../platform/events/describe.ts';
import type { WebhookDescription } from '../platform/http/openapi.ts';
import { Int32, Int64, Shape, Timestamp, Uuid } from '../platform/http/schema.ts';
import { EndpointView } from './endpoint-present.ts';
import { TEST_EVENT } from './event-types.ts';
import { NotificationView } from './notification-present.ts';
import { SUMMARY, TEST_NOTIFICATION } from './notifications/channel.ts';

export const endpointWebhooks: WebhookDescription[] = [
  {
    event: TEST_EVENT,
    summary: 'You tested a webhook endpoint. Only that one gets it.',
    body: EventBody(
      'WebhookEndpointEvent',
      [TEST_EVENT],
      ['active'],
      Shape('WebhookEndpointEventData', { webhookEndpoint: EndpointView }),
    ),
  },
  {
    event: TEST_NOTIFICATION,
    summary: 'You tested a notification. Only that one gets it.',
    body: EventBody(
      'NotificationEvent',
      [TEST_NOTIFICATION],
      ['active'],
      Shape('NotificationEventData', { notification: NotificationView }),
    ),
  },
  {
    event: SUMMARY,
    summary: 'What happened since the last daily summary. Only the notification that names it gets it.',
    body: EventBody(
      'NotificationSummaryEvent',
      [SUMMARY],
      ['active'],
      Shape('NotificationSummaryEventData', {
        notificationId: Uuid(),
        from: Timestamp(),
        to: Timestamp(),
        paid: Int32({ description: 'Payments that succeeded.' }),
        paidCents: Int64({ description: 'What they brought.' }),
        failed: Int32(),
        expired: Int32({ description: 'Payments that were not made in time.' }),
        exceptions: Int32({ description: 'Money that needs a review.' }),
        overdueRenewals: Int32(),
        newSubscriptions: Int32(),
        endedSubscriptions: Int32(),
        refunds: Int32({ description: 'Refunds that arrived.' }),
      }),
    ),
  },
];
