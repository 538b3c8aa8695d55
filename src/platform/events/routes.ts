import { keyedRoute } from '../access/keyed-route.ts';
import type { Database } from '../db/database.ts';
import { Page, pageQuery } from '../http/list.ts';
import { MetadataView } from '../http/metadata-schema.ts';
import type { App } from '../http/route.ts';
import { Int32, Optional, Shape, Text, Timestamp, type TSchema, Uuid } from '../http/schema.ts';
import { listEvents } from './list-events.ts';
import { pullEvents } from './pull-events.ts';

const EventsQuery = Shape(undefined, {
  ...pageQuery,
  event: Optional(Text({ description: 'Only this event, such as `payment_intent.succeeded`.' })),
  after: Optional(
    Text({
      max: 64,
      description:
        'Follows events, oldest first: `nextCursor` of the previous response, `earliest` to start with the first event, or `latest` for a cursor only, to follow new events. Not with `cursor`, `createdFrom` or `createdTo`.',
    }),
  ),
});

const EventView = Shape('Event', {
  id: Uuid('The event: handle each id once.'),
  event: Text(),
  createdAt: Timestamp(),
  sequence: Int32({ min: 1, description: 'Counts the changes of one object: 1, 2, 3, …' }),
  status: Text({ description: 'Of the object, after this change.' }),
  metadata: Optional(MetadataView),
  data: { type: 'object', description: 'As in the webhook of this event.' } as TSchema,
});

export function eventRoutes(app: App, { db }: { db: Database }): void {
  keyedRoute(app, {
    method: 'GET',
    path: '/api/v2/events',
    id: 'listEvents',
    sdk: 'events.list',
    assistant: 'read',
    tag: 'Events',
    summary: 'List events',
    description:
      'Everything that happened, newest first, whether or not a webhook URL is set. With `after` the order is oldest first, for following: call again with `after` set to the last `nextCursor`, which is returned even when there is nothing new. No event is ever missed, however its transaction was delayed.',
    scopes: ['billing:read', 'payments:read'],
    query: EventsQuery,
    success: {
      status: 200,
      schema: Page('EventPage', EventView),
      description: 'Events, each exactly as its webhook carries it.',
    },
    errors: ['BAD_REQUEST'],
    async handle({ principal, query }) {
      const { after, ...list } = query;
      const { merchantId } = principal;
      return {
        status: 200,
        text: await (after === undefined
          ? listEvents(db, merchantId, list)
          : pullEvents(db, merchantId, { ...list, after })),
      };
    },
  });
}
