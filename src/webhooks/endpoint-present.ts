import { Flag, List, Nullable, OneOf, Shape, Text, Timestamp, Uuid } from '../platform/http/schema.ts';
import { isFirst, type WebhookEndpoint } from './endpoint.ts';

const ABOUT_TYPES =
  'The names of the events that are sent. Null: every event but `payment_intent.created`, which is sent only where it is named.';

/** A list of event names, of those that there are. */
export const eventTypesOf = (names: readonly string[]) =>
  Nullable({ ...List(OneOf(names), { min: 1, max: MAX_TYPES }), description: ABOUT_TYPES });

const MAX_TYPES = 100;

const fields = {
  id: Uuid(),
  name: Nullable(Text({ description: 'For yourself.' })),
  url: Text({ max: 2048 }),
  eventTypes: Nullable({ ...List(Text({ max: 100 })), description: ABOUT_TYPES }),
  isActive: Flag('Whether events are sent. What happens while it is false is not sent later.'),
  isFirst: Flag('Whether it is the `webhookUrl` of the merchant profile.'),
  createdAt: Timestamp(),
};

export const EndpointView = Shape('WebhookEndpoint', fields);

export const NewEndpointView = Shape('NewWebhookEndpoint', {
  ...fields,
  webhookSecret: Text({ description: 'Signs what is sent to this endpoint. Shown this once.' }),
});

export function presentEndpoint(endpoint: WebhookEndpoint) {
  const { id, name, url, eventTypes, isActive, createdAt } = endpoint;
  return { id, name, url, eventTypes, isActive, isFirst: isFirst(endpoint), createdAt };
}
