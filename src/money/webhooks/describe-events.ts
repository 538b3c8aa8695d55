import { EventBody } from '../../platform/events/describe.ts';
import type { WebhookDescription } from '../../platform/http/openapi.ts';
import { Shape } from '../../platform/http/schema.ts';
import { EndpointView } from './endpoint-present.ts';
import { TEST_EVENT } from './event-types.ts';

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
];
