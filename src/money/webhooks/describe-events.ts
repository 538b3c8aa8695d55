import { EventBody } from '../../platform/events/describe.ts';
import type { WebhookDescription } from '../../platform/http/openapi.ts';
import { Shape } from '../../platform/http/schema.ts';
import { TEST_NOTIFICATION } from '../notifications/channel.ts';
import { EndpointView } from './endpoint-present.ts';
import { TEST_EVENT } from './event-types.ts';
import { NotificationView } from './notification-present.ts';

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
];
